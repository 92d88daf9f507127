package heddle.load.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * A histogram of durations with three digits, immutable. It is kept in the form used in files: the
 * compressed form of HdrHistogram (version 2, of nanoseconds) in base64, a few kilobytes.
 *
 * <pre>{@code
 * Distribution all = Distribution.sum(List.of(first, second));
 * for (Distribution.Point point : all.percentiles(10)) {
 *   System.out.println(point.percentile() + " " + point.micros());
 * }
 * }</pre>
 *
 * @param encoded the histogram; empty if nothing was recorded
 */
public record Distribution(String encoded) {

  /** The empty distribution. */
  public static final Distribution EMPTY = new Distribution("");

  /**
   * A point of a plot.
   *
   * @param percentile 0 to 100
   * @param micros the duration at that percentile, in microseconds
   */
  public record Point(double percentile, double micros) {}

  /** Copies a histogram of nanoseconds. */
  public static Distribution of(Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return EMPTY;
    }
    ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    int length = nanos.encodeIntoCompressedByteBuffer(buffer);
    return new Distribution(
        Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
  }

  /**
   * Reads the text of {@link #encoded}.
   *
   * @throws IllegalArgumentException if it is not such a text
   */
  public static Distribution parse(String encoded) {
    Distribution parsed = new Distribution(encoded);
    var _ = parsed.histogram();
    return parsed;
  }

  /** The sum, exactly as if everything had been recorded in one. */
  public static Distribution sum(List<Distribution> parts) {
    List<Distribution> full = parts.stream().filter(each -> !each.isEmpty()).toList();
    if (full.size() < 2) {
      return full.isEmpty() ? EMPTY : full.getFirst();
    }
    Histogram all = Stripes.empty();
    full.forEach(each -> all.add(each.histogram()));
    return of(all);
  }

  /** Whether nothing was recorded. */
  public boolean isEmpty() {
    return encoded.isEmpty();
  }

  /** How many durations were recorded. */
  public long count() {
    return isEmpty() ? 0 : histogram().getTotalCount();
  }

  /** The usual figures, in microseconds. */
  public Latency latency() {
    return Latency.ofNanos(histogram());
  }

  /**
   * A copy, in nanoseconds.
   *
   * @throws IllegalArgumentException if the text is not a histogram
   */
  public Histogram histogram() {
    if (isEmpty()) {
      return Stripes.empty();
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
      return Histogram.decodeFromCompressedByteBuffer(buffer, 0);
    } catch (DataFormatException | RuntimeException e) {
      throw new IllegalArgumentException(
          "a distribution is not a histogram in compressed form: " + e, e);
    }
  }

  /**
   * Points for a plot over percentiles from 0 to 100, in which the distance to 100 is halved
   * repeatedly, with a number of points per half. Empty if nothing was recorded.
   *
   * @param pointsPerHalf at least 1; 5 to 20 look smooth
   */
  public List<Point> percentiles(int pointsPerHalf) {
    List<Point> points = new ArrayList<>();
    if (!isEmpty()) {
      histogram()
          .percentiles(pointsPerHalf)
          .forEach(each -> points.add(
              new Point(each.getPercentileLevelIteratedTo(), each.getValueIteratedTo() / 1e3)));
    }
    return points;
  }
}
