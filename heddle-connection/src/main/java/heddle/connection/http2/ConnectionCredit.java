package heddle.connection.http2;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides when received content is credited to a connection's window (RFC 9113 §5.2). While few
 * bytes of the connection are unread, content is credited on receipt, so that one slow reader does
 * not stop the other streams; content beyond that is credited when it is read. So a peer can make
 * us hold at most {@code freeBytes} and one window of the connection.
 *
 * <p>Safe for use by many threads. The caller passes each amount returned to the session.
 */
final class ConnectionCredit {
  private final int freeBytes;
  private final AtomicLong unread = new AtomicLong();

  /** Whether a part of the window was withheld since the last check. Used by the loop only. */
  private boolean wasWithheld;

  /** Nothing is withheld up to {@code freeBytes} unread bytes. */
  ConnectionCredit(int freeBytes) {
    this.freeBytes = freeBytes;
  }

  /** On the loop: bytes for a reader have arrived. Returns how many of them to credit now. */
  long received(long bytes) {
    long before = unread.getAndAdd(bytes);
    long withheld = withheld(before + bytes);
    wasWithheld |= withheld > 0;
    return bytes - (withheld - withheld(before));
  }

  /** Bytes were read or discarded. Returns how many to credit now. */
  long read(int bytes) {
    long before = unread.getAndAdd(-bytes);
    return withheld(before) - withheld(before - bytes);
  }

  /** Whether a part of the window is withheld, so that the peer may have to wait for us. */
  boolean isWithheld() {
    return withheld(unread.get()) > 0;
  }

  /** On the loop: whether a part of the window was withheld since the last call. */
  boolean wasWithheld() {
    boolean was = wasWithheld;
    wasWithheld = isWithheld();
    return was;
  }

  private long withheld(long unread) {
    return Math.max(0, unread - freeBytes);
  }
}
