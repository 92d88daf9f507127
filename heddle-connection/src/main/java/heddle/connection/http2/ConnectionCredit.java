package heddle.connection.http2;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When the window of a connection (RFC 9113 §5.2) gets back what content has taken from it: on
 * receipt, so that one slow reader does not stop the other streams, as long as little of the
 * connection waits to be read; what waits beyond that, when it is read. So a peer makes us hold
 * so many bytes and one window of the connection at most.
 *
 * <p>Safe for use by many threads. Whoever is told an amount gives it to the session.
 */
final class ConnectionCredit {
  private final int freeBytes;
  private final AtomicLong unread = new AtomicLong();

  /** Whether a part of the window was withheld since someone asked. The loop's own. */
  private boolean wasWithheld;

  /**
   * @param freeBytes up to so many unread bytes nothing is withheld
   */
  ConnectionCredit(int freeBytes) {
    this.freeBytes = freeBytes;
  }

  /** On the loop: bytes have come for a reader. Answers how many of them to give back now. */
  long received(long bytes) {
    long before = unread.getAndAdd(bytes);
    long withheld = withheld(before + bytes);
    if (withheld > 0) {
      wasWithheld = true;
    }
    return bytes - (withheld - withheld(before));
  }

  /** Bytes have been read or thrown away: answers how many to give back now. */
  long read(int bytes) {
    long before = unread.getAndAdd(-bytes);
    return withheld(before) - withheld(before - bytes);
  }

  /** Whether a part of the window is withheld, so that the peer may have to wait for us. */
  boolean isWithheld() {
    return withheld(unread.get()) > 0;
  }

  /** On the loop: whether a part of the window was withheld since this was asked last. */
  boolean wasWithheld() {
    boolean was = wasWithheld;
    wasWithheld = isWithheld();
    return was;
  }

  private long withheld(long unread) {
    return Math.max(0, unread - freeBytes);
  }
}
