package heddle.cli.live;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * Draws a picture 4 times a second on a separate thread, so that a blocked terminal, such as after
 * Ctrl-S, does not block the load.
 */
public final class Painter implements AutoCloseable {

  private static final long INTERVAL_MILLIS = 250;
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final @Nullable Screen screen;
  private final Picture picture;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;

  /** A changing picture, drawn by one thread. */
  public interface Picture {

    /** The present lines for a terminal of this width. */
    List<AttributedString> lines(Look look, int width);
  }

  private Painter(@Nullable Screen screen, Picture picture) {
    this.screen = screen;
    this.picture = picture;
    this.thread = Thread.ofPlatform().daemon().name("live-view").unstarted(this::paint);
  }

  /**
   * Starts drawing; {@link #close} ends it and closes the screen.
   *
   * @param screen null to draw nothing
   */
  public static Painter start(@Nullable Screen screen, Picture picture) {
    Painter painter = new Painter(screen, picture);
    if (screen != null) {
      painter.thread.start();
    }
    return painter;
  }

  private void paint() {
    try {
      do {
        if (screen != null) {
          screen.draw(picture);
        }
      } while (!over.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Restores the terminal, unless it is blocked for more than a second. */
  @Override
  public void close() {
    over.countDown();
    if (screen == null) {
      return;
    }
    try {
      if (thread.join(LONGEST_END)) {
        screen.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
