package heddle.bench.schedule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One worker's share of a load that several make together, each without knowing of the others:
 * whatever the load numbers from 0 on, its requests, its callers, its lines of a file, this worker
 * has number k where k mod {@code count} is {@code index} - 1. The shares of all workers are the
 * whole, with nothing twice and nothing left out.
 *
 * @param index which worker, from 1 on
 * @param count how many there are; at least 1
 */
public record Segment(int index, int count) {

  /** All of a load. */
  public static final Segment WHOLE = new Segment(1, 1);

  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

  /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
  public Segment {
    if (count < 1 || index < 1 || index > count) {
      throw new IllegalArgumentException(
          "a segment is one of 1/N to N/N, such as 2/4, not " + index + "/" + count);
    }
  }

  /**
   * Reads {@code 2/4}, the second of four, as segments are written.
   *
   * @throws IllegalArgumentException when it is something else; the message says what is allowed
   */
  public static Segment parse(String text) {
    Matcher written = WRITTEN.matcher(text.strip());
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no segment: write I/N, such as 2/4 for the second of four");
    }
    return new Segment(Integer.parseInt(written.group(1)), Integer.parseInt(written.group(2)));
  }

  /** Whether one worker makes all of the load. */
  public boolean isWhole() {
    return count == 1;
  }

  /** Whether what has this number, from 0 on, belongs to this worker. */
  public boolean has(long number) {
    return number % count == index - 1;
  }

  /** The number in the whole of this worker's own {@code local}-th, both from 0 on. */
  public long numberOf(long local) {
    return local * count + index - 1;
  }

  /** How many of so many this worker has. */
  public long share(long whole) {
    return whole / count + (index - 1 < whole % count ? 1 : 0);
  }

  /** How many of so many this worker has. */
  public int share(int whole) {
    return Math.toIntExact(share((long) whole));
  }

  /**
   * The share of one of the processes among which this worker divides its own: all of them together
   * have what it has.
   *
   * @param process which one, from 1 on
   * @param processes how many there are
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
   * Throws {@link IllegalArgumentException} where there are fewer than segments, and so none for
   * one of them.
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
