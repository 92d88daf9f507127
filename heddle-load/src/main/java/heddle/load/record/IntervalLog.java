package heddle.load.record;

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
 * Writes histograms of a running load, one line per interval and tag, in the log format of
 * HdrHistogram ({@code .hlog}, version 1.3; values are nanoseconds). The lines of a tag add up to
 * exactly the recorded values. Used by one thread.
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

  /** Creates a log to this stream, which stays open when the log is closed. */
  public IntervalLog(OutputStream out) {
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
    this.writer = new HistogramLogWriter(this.out);
  }

  /**
   * Adds a source under a tag. Must be called before {@link #begin}.
   *
   * @param source returns a copy of all its recorded values, with the range and precision of
   *     {@link Stripes}
   */
  public void add(String tag, Supplier<Histogram> source) {
    series.put(tag, new Series(source));
  }

  /**
   * Begins the logged part.
   *
   * @param comment the description of the log, in one line
   * @param nanos the present time, on the clock of {@link #tick}
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

  /** Writes an interval if it has passed. */
  public void tick(long nanos) {
    if (begun && nanos - lastNanos >= INTERVAL_NANOS) {
      write(nanos);
    }
  }

  /** Writes the remaining values. The log does not contain anything recorded later. */
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

  /** The time since the beginning, which the format requires if there is a base time. */
  private double seconds(long nanos) {
    return (nanos - beginNanos) / 1e9;
  }

  /**
   * Flushes the stream.
   *
   * @throws UncheckedIOException if something could not be written
   */
  @Override
  public void close() {
    if (out.checkError()) {
      throw new UncheckedIOException(new IOException("the interval log could not be written"));
    }
  }
}
