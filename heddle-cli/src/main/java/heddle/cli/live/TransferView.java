package heddle.cli.live;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/** How far a transfer has come, on a terminal, once it takes longer than half a second. */
public final class TransferView implements Painter.Picture, AutoCloseable {

  private static final long PATIENCE_NANOS = 500_000_000;
  private static final int LONGEST_BAR = 40;
  private static final int BESIDE_THE_BAR = 50;

  private final PrintStream err;
  private final long start = System.nanoTime();
  private long first = -1;
  private volatile long received;
  private volatile long total = -1;
  private @Nullable Painter painter;

  /**
   * A view that shows nothing yet.
   *
   * @param err standard error, a terminal
   */
  public TransferView(PrintStream err) {
    this.err = err;
  }

  /**
   * More has arrived.
   *
   * @param now bytes that are there, those of earlier runs included
   * @param all bytes of the whole; negative if unknown
   */
  public void progressed(long now, long all) {
    first = first < 0 ? now : first;
    received = now;
    total = all;
    if (painter == null && System.nanoTime() - start > PATIENCE_NANOS) {
      painter = Painter.start(Screen.open(err, System.getenv()), this);
    }
  }

  @Override
  public List<AttributedString> lines(Look look, int width) {
    return List.of(line(look, width, received - first, (System.nanoTime() - start) / 1e9));
  }

  AttributedString line(Look look, int width, long arrived, double seconds) {
    double rate = arrived / seconds;
    Line line = Line.of(look);
    if (total > 0) {
      double share = (double) received / total;
      int columns = Math.clamp(width - BESIDE_THE_BAR, 10, LONGEST_BAR);
      line.add(3, Graphic.bar(share, columns, look), look.good())
          .add(0, String.format(Locale.ROOT, "%.0f%%", Math.floor(share * 100)))
          .add(2, Amounts.size(received) + " of " + Amounts.size(total));
    } else {
      line.add(0, Amounts.size(received));
    }
    line.add(1, Amounts.size(Math.round(rate)) + "/s");
    if (total > 0 && rate > 0) {
      Duration left = Duration.ofMillis(Math.round((total - received) / rate * 1e3));
      line.add(1, Amounts.span(left) + " left");
    }
    return line.fit(width);
  }

  @Override
  public void close() {
    if (painter != null) {
      painter.close();
    }
  }
}
