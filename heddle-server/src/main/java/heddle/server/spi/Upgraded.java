package heddle.server.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Both directions of an exchange that has {@linkplain Exchange#switchProtocols switched} to another
 * protocol. It ends when the handler returns, as by {@link #close}, or throws, as by {@link
 * #abort}. One thread at a time reads, and one writes, which may be different ones; the other
 * methods may be called from any thread.
 *
 * <p>Neither direction has a deadline, and both may be silent. What the client sends is held up to
 * some 64 KiB until it is read. A write waits while the client accepts no more, and fails after the
 * write timeout. If the client is lost, reading and writing fail, and unless both directions were
 * over or given up before, the handler's thread is interrupted. If only its stream of HTTP/2 was
 * reset, reading and writing fail without an interrupt.
 */
public interface Upgraded extends AutoCloseable {
  /**
   * What the client sends, to the end of its direction. Closing it discards what is still to come.
   * If the thread is interrupted while it waits, it gets an {@link java.io.InterruptedIOException}.
   */
  InputStream input();

  /**
   * What the client is sent, at once: flushing does nothing. Closing it ends this direction, and
   * the client may go on. A write that fails may have sent a part of its bytes, and ends both
   * directions.
   */
  OutputStream output();

  /**
   * Has {@code task} run once, on a new virtual thread, when the server begins to close, so that
   * the protocol can take its leave; at once if it has begun. The server waits for the handler for
   * its close timeout, then cuts the connection and interrupts the handler's thread. Replaces a
   * task that was given before.
   */
  void onDrain(Runnable task);

  /**
   * Counts what the handler holds in memory for this client, such as a message of which a part has
   * arrived, in the server's memory budget. To be called before the memory is allocated, for more
   * than the 16 KiB for which what an exchange costs in any case has room. As it may be held for
   * ever, half of the budget is kept for others. Ends with the exchange.
   *
   * @param bytes the size of the memory in all, at least 0; it replaces what was counted before
   * @throws heddle.http.failure.ServerOverloadedException if the budget has no room for it; what
   *     was counted before still is
   * @throws IOException if the exchange has ended
   */
  void reserve(int bytes) throws IOException;

  /**
   * Ends both directions: the client gets what was written, and what it still sends is discarded. A
   * thread that reads gets an exception. Does not wait, and does nothing the second time.
   */
  @Override
  void close();

  /**
   * Ends both directions at once, perhaps before the client has got what was written. Threads that
   * read or write get an exception. Does nothing if both have ended or were {@linkplain #close
   * closed} before.
   */
  void abort();
}
