package heddle.cli.live;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * Draws a picture 4 times a second, with a thread of its own: a terminal that takes nothing, as
 * after Ctrl-S, holds nobody else up.
 */
public final class Painter implements AutoCloseable {

  private static final long INTERVAL_MILLIS = 250;
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final @Nullable Screen screen;
  private final Picture picture;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;

  /** Something that changes and can be drawn; by one thread. */
  public interface Picture {

    /** It as it is now, in so many columns. */
    List<AttributedString> lines(Look look, int width);
  }

  private Painter(@Nullable Screen screen, Picture picture) {
    this.screen = screen;
    this.picture = picture;
    this.thread = Thread.ofPlatform().daemon().name("live-view").unstarted(this::paint);
  }

  /**
   * Begins to draw; {@link #close} ends it, and closes the screen.
   *
   * @param screen null where nobody watches: then nothing is drawn
   */
  public static Painter start(@Nullable Screen screen, Picture picture) {
    Painter painter = new Painter(screen, picture);
    if (screen != null) {
      painter.thread.start();
    }
    return painter;
  }

  private void paint() {
    Screen on = screen;
    try {
      do {
        if (on != null) {
          on.draw(picture);
        }
      } while (!over.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves a clean terminal, where that takes what is written within a second. */
  @Override
  public void close() {
    over.countDown();
    Screen on = screen;
    if (on == null) {
      return;
    }
    try {
      if (thread.join(LONGEST_END)) {
        on.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
