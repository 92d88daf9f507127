package heddle.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Both directions of an exchange that has switched to another protocol (RFC 9110 §7.8, RFC 8441).
 * The answering thread ends it before it {@linkplain ServerExchange#leave leaves}. One thread at a
 * time reads, and one writes; the other methods may be called from any thread.
 */
public interface UpgradedStream {
  /** What the peer sends. Closing it discards what is still to come. */
  InputStream input();

  /** What the peer is sent, at once. Closing it ends this direction. A failed write ends both. */
  OutputStream output();

  /**
   * Has {@code task} run on a new thread when the server begins to close; at once if it has begun.
   * Replaces a task that was given before.
   */
  void onDrain(Runnable task);

  /**
   * Counts what the handler holds for the peer, before it is allocated, until the exchange ends.
   *
   * @param bytes in total, which replaces what was counted before
   * @throws heddle.http.failure.ServerOverloadedException if the budget has no room for them
   * @throws IOException if the exchange has ended
   */
  void reserve(int bytes) throws IOException;

  /**
   * Ends both directions: the peer gets what was written, and what it still sends is discarded.
   * Does not wait. Idempotent.
   */
  void close();

  /**
   * Ends both directions at once, perhaps before the peer has got what was written. Does nothing if
   * both have ended or were {@linkplain #close closed} before.
   */
  void abort();
}
