package heddle.bench.record;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes histograms of a load as it goes on, a line for each interval and each tag, in the log
 * format of HdrHistogram ({@code .hlog}, version 1.3; values are nanoseconds). The lines of a tag
 * added together are exactly what was recorded. Used by one thread.
 */
public final class IntervalLog implements AutoCloseable {

  private static final long INTERVAL_NANOS = 1_000_000_000L;

  /** The largest value of a line is shown in milliseconds. */
  private static final double NANOS_IN_MILLI = 1e6;

  private final PrintStream out;
  private final HistogramLogWriter writer;
  private final Map<String, Series> series = new LinkedHashMap<>();
  private long beginNanos;
  private long lastNanos;
  private boolean begun;

  private static final class Series {
    private final Supplier<Histogram> source;
    private Histogram written = Stripes.empty();

    Series(Supplier<Histogram> source) {
      this.source = source;
    }
  }

  /** A log to this stream, which stays open when the log is closed. */
  public IntervalLog(OutputStream out) {
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
    this.writer = new HistogramLogWriter(this.out);
  }

  /** Also logs this, under the tag. To be called before {@link #begin}. */
  public void add(String tag, Stripes source) {
    add(tag, source::snapshot);
  }

  /**
   * The same for a source that gives a copy of all it has recorded so far, of the range and
   * precision that {@link Stripes} have.
   */
  public void add(String tag, Supplier<Histogram> source) {
    series.put(tag, new Series(source));
  }

  /**
   * The part that is logged begins.
   *
   * @param comment what the log is of, in one line
   * @param nanos now, on the clock that {@link #tick} is told
   */
  public void begin(String comment, long nanos) {
    begun = true;
    long beginMillis = System.currentTimeMillis();
    beginNanos = nanos;
    lastNanos = nanos;
    writer.outputLogFormatVersion();
    writer.outputComment("[" + comment.replaceAll("\\s+", " ") + "]");
    writer.outputBaseTime(beginMillis);
    writer.outputStartTime(beginMillis);
    writer.outputLegend();
  }

  /** Writes the interval that has passed, when it has. */
  public void tick(long nanos) {
    if (begun && nanos - lastNanos >= INTERVAL_NANOS) {
      write(nanos);
    }
  }

  /** Writes what is left. Nothing that is recorded later is in the log. */
  public void end(long nanos) {
    if (begun) {
      write(nanos);
      begun = false;
    }
    out.flush();
  }

  private void write(long nanos) {
    series.forEach((tag, each) -> {
      Histogram now = each.source.get();
      Histogram interval = now.copy();
      interval.subtract(each.written);
      each.written = now;
      interval.setTag(tag);
      writer.outputIntervalHistogram(seconds(lastNanos), seconds(nanos), interval, NANOS_IN_MILLI);
    });
    lastNanos = nanos;
  }

  /** Since the beginning, as the format has it where there is a base time. */
  private double seconds(long nanos) {
    return (nanos - beginNanos) / 1e9;
  }

  /**
   * Flushes the stream.
   *
   * @throws UncheckedIOException when something could not be written
   */
  @Override
  public void close() {
    if (out.checkError()) {
      throw new UncheckedIOException(new IOException("the interval log could not be written"));
    }
  }
}
