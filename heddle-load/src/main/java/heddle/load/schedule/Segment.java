package heddle.load.schedule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One worker's share of a load that several workers make together without communication. Requests,
 * callers and lines of a file are numbered from 0; this worker has number k if k mod {@code count}
 * is {@code index} - 1. The shares of all workers are the whole, without duplicates or gaps.
 *
 * @param index the number of the worker, from 1
 * @param count the number of workers; at least 1
 */
public record Segment(int index, int count) {

  /** The whole load. */
  public static final Segment WHOLE = new Segment(1, 1);

  private static final Pattern WRITTEN = Pattern.compile("(index:)?(\\d{1,6})/(\\d{1,6})");

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public Segment {
    if (count < 1 || index < 1 || index > count) {
      throw new IllegalArgumentException(
          "a segment is one of 1/N to N/N, such as 2/4, not " + index + "/" + count);
    }
  }

  /**
   * Reads a segment such as {@code 2/4}, the second of four; or {@code index:1/4}, which is the
   * same one counted from 0, as Kubernetes counts the pods of a job.
   *
   * @throws IllegalArgumentException if it is malformed; the message says what is allowed
   */
  public static Segment parse(String text) {
    Matcher written = WRITTEN.matcher(text.strip());
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a segment: write I/N, such as 2/4 for the second of four");
    }
    int number = Integer.parseInt(written.group(2));
    int index = written.group(1) == null ? number : number + 1;
    return new Segment(index, Integer.parseInt(written.group(3)));
  }

  /** Whether one worker makes all of the load. */
  public boolean isWhole() {
    return count == 1;
  }

  /** Whether the item with this number, from 0, belongs to this worker. */
  public boolean has(long number) {
    return number % count == index - 1;
  }

  /** The number in the whole load of this worker's {@code local}-th item, both from 0. */
  public long numberOf(long local) {
    return local * count + index - 1;
  }

  /** This worker's share of a number of items. */
  public long share(long whole) {
    return whole / count + (index - 1 < whole % count ? 1 : 0);
  }

  /** This worker's share of a number of items. */
  public int share(int whole) {
    return Math.toIntExact(share((long) whole));
  }

  /**
   * The share of one of several processes among which this worker divides its own share.
   *
   * @param process the number of the process, from 1
   * @param processes the number of processes
   */
  public Segment part(int process, int processes) {
    var own = new Segment(process, processes);
    long all = (long) count * own.count;
    if (all > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("too many segments: " + all);
    }
    return new Segment(Math.toIntExact(numberOf(own.index - 1L)) + 1, (int) all);
  }

  /**
   * Throws {@link IllegalArgumentException} if there are fewer items than segments, so that one
   * would have none.
   *
   * @param what such as {@code callers}
   */
  public void require(long whole, String what) {
    if (whole < count) {
      throw new IllegalArgumentException(count + " segments need at least " + count + " " + what
          + " in all, not " + whole + ": give fewer segments or more " + what);
    }
  }

  @Override
  public String toString() {
    return index + "/" + count;
  }
}
