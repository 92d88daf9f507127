package heddle.connection.http1;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The only state that the loop, which receives a request, and the thread that answers it share.
 * Each sets its mark when it is done with the message; the one that finds the other's mark set, so
 * exactly one of them, goes on to the next message.
 */
final class ExchangeProgress {
  private static final int RECEIVED = 1;
  private static final int ANSWERED = 2;
  private static final int HOLDING = 4;

  private static final AtomicIntegerFieldUpdater<ExchangeProgress> MARKS =
      AtomicIntegerFieldUpdater.newUpdater(ExchangeProgress.class, "marks");

  private volatile int marks;

  /** The loop: the request is received. */
  void received() {
    mark(RECEIVED);
  }

  /** The loop: input is held. Returns whether the answering thread was done and did not see it. */
  boolean holds() {
    return (mark(HOLDING) & ANSWERED) != 0;
  }

  /** The answering thread: the response is written. */
  Left answered() {
    int before = mark(ANSWERED);
    if ((before & RECEIVED) == 0) {
      return Left.RECEIVING;
    }
    return (before & HOLDING) != 0 ? Left.HELD_INPUT : Left.NOTHING;
  }

  /** What the loop has to do when a response is written. */
  enum Left {
    /** The rest of the request's body is still to come. */
    RECEIVING,
    /** The next request, or a part of it, has arrived and waits. */
    HELD_INPUT,
    /** The loop needs no wake-up: it goes on when the next request arrives. */
    NOTHING
  }

  private int mark(int bit) {
    return MARKS.getAndAccumulate(this, bit, (all, more) -> all | more);
  }

  boolean isReceived() {
    return (marks & RECEIVED) != 0;
  }

  boolean isAnswered() {
    return (marks & ANSWERED) != 0;
  }

  /** The loop, when both are done: a new message. */
  void begin() {
    marks = 0;
  }
}
