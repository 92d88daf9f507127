package heddle.httpserver;

import heddle.http.Headers;
import heddle.http.Response;
import heddle.server.spi.Exchange;
import heddle.server.spi.Upgraded;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response, whose end is that of the exchange. Safe for use by many threads: the
 * thread that Heddle has for the exchange may cut it while another writes.
 */
final class ResponseContent extends OutputStream {
  /** The length of content that ends when it is closed. */
  static final long UNKNOWN = -1;

  private interface Sending {
    void run() throws IOException;
  }

  private final Exchange exchange;
  private final Runnable onEnd;

  /** Held while Heddle's stream is used. */
  private final ReentrantLock using = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable OutputStream target;
  private long remaining = UNKNOWN;
  private boolean closed;

  /**
   * @param onEnd run at least once when nothing more will be sent
   */
  ResponseContent(Exchange exchange, Runnable onEnd) {
    this.exchange = exchange;
    this.onEnd = onEnd;
  }

  /** Whether the response has begun. */
  boolean hasBegun() {
    using.lock();
    try {
      return target != null;
    } finally {
      using.unlock();
    }
  }

  /**
   * Begins the response.
   *
   * @param length of the content, or {@link #UNKNOWN}
   */
  void begin(Response head, long length) throws IOException {
    using.lock();
    try {
      if (closed) {
        throw new IOException("the exchange has ended");
      }
      target = exchange.begin(head);
      remaining = length;
    } finally {
      using.unlock();
    }
  }

  /**
   * Has what is written sent as it is, and ends the exchange with it when it is closed.
   *
   * @return what the client sends
   */
  InputStream switchProtocols(String protocol, Headers fields) throws IOException {
    using.lock();
    try {
      if (closed) {
        throw new IOException("the exchange has ended");
      }
      Upgraded upgraded = exchange.switchProtocols(protocol, fields);
      target = upgraded.output();
      return upgraded.input();
    } finally {
      using.unlock();
    }
  }

  private OutputStream begun() throws IOException {
    if (target == null) {
      throw new IOException("response headers not sent yet: call sendResponseHeaders first");
    }
    return target;
  }

  private OutputStream open() throws IOException {
    OutputStream begun = begun();
    if (closed) {
      throw new IOException("the response has ended");
    }
    return begun;
  }

  @Override
  public void write(int octet) throws IOException {
    using.lock();
    try {
      OutputStream open = open();
      checkRoom(1);
      send(() -> open.write(octet));
      taken(1);
    } finally {
      using.unlock();
    }
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
    Objects.checkFromIndexSize(offset, size, source.length);
    using.lock();
    try {
      if (size == 0) {
        begun(); // Nothing may be written even to a response that has ended.
        return;
      }
      OutputStream open = open();
      checkRoom(size);
      send(() -> open.write(source, offset, size));
      taken(size);
    } finally {
      using.unlock();
    }
  }

  /** What cannot be sent ends the exchange. */
  private void send(Sending sending) throws IOException {
    boolean sent = false;
    try {
      sending.run();
      sent = true;
    } finally {
      if (!sent) {
        abort();
      }
    }
  }

  /** The caller may write less instead: the response is not cut. */
  private void checkRoom(int size) throws IOException {
    if (remaining != UNKNOWN && size > remaining) {
      throw new IOException("too many bytes to write to stream: " + size + ", but " + remaining
          + " remain of the length given to sendResponseHeaders");
    }
  }

  private void taken(int size) {
    if (remaining != UNKNOWN) {
      remaining -= size;
    }
  }

  @Override
  public void flush() throws IOException {
    using.lock();
    try {
      OutputStream begun = begun();
      if (!closed) {
        send(begun::flush);
      } else if (remaining == UNKNOWN) {
        throw new IOException("the response has ended");
      }
    } finally {
      using.unlock();
    }
  }

  /** Ends the response, and with it the exchange. */
  @Override
  public void close() throws IOException {
    using.lock();
    try {
      OutputStream begun = begun();
      if (closed) {
        return;
      }
      if (remaining > 0) {
        abort();
        throw new IOException("insufficient bytes written to stream: " + remaining
            + " remain of the length given to sendResponseHeaders");
      }
      try {
        send(begun::close);
      } catch (IOException e) {
        if (remaining != UNKNOWN) {
          throw e;
        }
        // A client that has closed its connection is no failure of the handler here: the JDK's
        // server says nothing either.
      }
      if (!closed) {
        closed = true;
        onEnd.run();
      }
    } finally {
      using.unlock();
    }
  }

  /** The handler has returned: ends a response whose announced content is complete. */
  void closeIfComplete() throws IOException {
    using.lock();
    try {
      if (target != null && remaining == 0) {
        close();
      }
    } finally {
      using.unlock();
    }
  }

  /** Closes the connection, unless the exchange has ended. */
  void abort() {
    using.lock();
    try {
      if (!closed) {
        closed = true;
        exchange.abort();
        onEnd.run();
      }
    } finally {
      using.unlock();
    }
  }

  /** On Heddle's thread for the exchange: closes the connection while another thread may write. */
  void cut() {
    exchange.abort(); // A thread that writes now fails, and leaves the lock.
    using.lock();
    try {
      closed = true;
      onEnd.run();
    } finally {
      using.unlock();
    }
  }
}
