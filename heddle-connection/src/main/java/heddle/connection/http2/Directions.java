package heddle.connection.http2;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which directions of an exchange are over whose caller writes to the stream itself: it may write
 * on after the response has ended (RFC 9113 §8.1), so the exchange is over when both directions
 * are. Thread-safe.
 */
final class Directions {
  private static final int INPUT_OVER = 1;
  private static final int OUTPUT_OVER = 2;
  private static final int INPUT_WHOLE = 4;

  private final AtomicInteger over = new AtomicInteger();

  /**
   * The response was read or closed; called once.
   *
   * @param whole whether all of it has arrived
   * @return whether both directions are over now
   */
  boolean endInput(boolean whole) {
    int ended = whole ? INPUT_OVER | INPUT_WHOLE : INPUT_OVER;
    return (over.getAndUpdate(before -> before | ended) & OUTPUT_OVER) != 0;
  }

  /** The caller writes no more, or cannot. True once: if both directions are over with that. */
  boolean endOutput() {
    int before = over.getAndUpdate(known -> known | OUTPUT_OVER);
    return (before & OUTPUT_OVER) == 0 && (before & INPUT_OVER) != 0;
  }

  boolean isInputWhole() {
    return (over.get() & INPUT_WHOLE) != 0;
  }

  boolean isOutputOver() {
    return (over.get() & OUTPUT_OVER) != 0;
  }
}
