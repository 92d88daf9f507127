package heddle.bench.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * How often each duration was recorded, to three digits; immutable and without loss, however many
 * there were. It is kept as files have it: the compressed form of HdrHistogram (version 2, of
 * nanoseconds) in base64, a few kilobytes.
 *
 * <pre>{@code
 * Distribution all = Distribution.sum(List.of(first, second));
 * for (Distribution.Point point : all.percentiles(10)) {
 *   System.out.println(point.percentile() + " " + point.micros());
 * }
 * }</pre>
 *
 * @param encoded the empty text where nothing was recorded
 */
public record Distribution(String encoded) {

  /** Of nothing. */
  public static final Distribution EMPTY = new Distribution("");

  /**
   * A point of the line that a plot shows.
   *
   * @param percentile 0 to 100
   * @param micros so many percent took no longer, in microseconds
   */
  public record Point(double percentile, double micros) {}

  /** Of a histogram of nanoseconds, which is not kept. */
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
   * What {@link #encoded} was written as.
   *
   * @throws IllegalArgumentException when it is no such text
   */
  public static Distribution parse(String encoded) {
    Distribution parsed = new Distribution(encoded);
    var _ = parsed.histogram();
    return parsed;
  }

  /** All of them together: exactly as if everything had been recorded in one. */
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

  /** The usual figures of it, in microseconds. */
  public Latency latency() {
    return Latency.ofNanos(histogram());
  }

  /**
   * A copy, in nanoseconds.
   *
   * @throws IllegalArgumentException when the text is none of a histogram
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
          "a distribution is no histogram in compressed form: " + e, e);
    }
  }

  /**
   * Points for a plot over percentiles, in which the distance to 100 is halved again and again: so
   * many points for each half, from 0 to 100. Empty where nothing was recorded.
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
