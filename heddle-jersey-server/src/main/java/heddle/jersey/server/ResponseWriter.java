package heddle.jersey.server;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.glassfish.jersey.server.ContainerException;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response for Jersey. The handler's thread waits while the response is suspended; until
 * that thread leaves, any thread may resume it and write.
 */
final class ResponseWriter implements ContainerResponseWriter {
  /** The property of a request that holds its writer. */
  static final String PROPERTY = ResponseWriter.class.getName();

  private final Exchange exchange;

  /** Held while the exchange is used, also across writing: by one thread at a time. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private @Nullable Response whole; // that the handler returns
  private @Nullable OutputStream content; // of the response that has begun
  private @Nullable Throwable failure;
  private boolean suspended;
  private boolean done;
  private boolean left;
  private @Nullable TimeoutHandler timeoutHandler;
  private boolean timed;
  private long deadlineNanos; // if timed

  ResponseWriter(Exchange exchange) {
    this.exchange = exchange;
  }

  /**
   * Waits, if the response is suspended, until it is complete.
   *
   * @return what the handler is to return
   * @throws Exception why there is no response, or it is to be cut
   */
  @Nullable
  Response await() throws Exception {
    TimeoutHandler due = nextTimeout();
    while (due != null) {
      // Not under the lock: Jersey's own, which it holds when it suspends, is taken first.
      due.onTimeout(this);
      due = nextTimeout();
    }
    lock.lock();
    try {
      return switch (failure) {
        case null -> whole;
        case Exception e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new ContainerException(e);
      };
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a timeout, whose handler is returned, or the end of the response: null. */
  private @Nullable TimeoutHandler nextTimeout() throws InterruptedException {
    lock.lock();
    try {
      while (suspended && !done) {
        long remaining = deadlineNanos - System.nanoTime();
        if (!timed) {
          changed.await();
        } else if (remaining > 0) {
          changed.awaitNanos(remaining);
        } else {
          timed = false;
          if (timeoutHandler != null) {
            return timeoutHandler;
          }
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The handler returns: from now on the exchange is not used. */
  void leave() {
    lock.lock();
    try {
      left = true;
    } finally {
      lock.unlock();
    }
  }

  /** Writing an entity has failed; what was begun cannot be completed. */
  void onFailedEntity(Throwable cause) {
    lock.lock();
    try {
      if (content != null && failure == null) {
        failure = cause;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public OutputStream writeResponseStatusAndHeaders(long length, ContainerResponse response) {
    Response head = head(length, response);
    lock.lock();
    try {
      if (left) {
        return new Content(OutputStream.nullOutputStream()); // fails, so that Jersey notices
      }
      if (!response.hasEntity() || exchange.request().method().equals(Method.HEAD)) {
        whole = head;
        return OutputStream.nullOutputStream();
      }
      content = exchange.begin(head);
      return new Content(content);
    } finally {
      lock.unlock();
    }
  }

  private static Response head(long length, ContainerResponse response) {
    String reason = response.getStatusInfo().getReasonPhrase();
    Status status = Status.of(response.getStatus(), reason == null ? "" : reason);
    Headers.Builder fields = Headers.builder();
    for (Map.Entry<String, List<String>> field : response.getStringHeaders().entrySet()) {
      HeaderName name = HeaderName.of(field.getKey());
      field.getValue().forEach(value -> fields.add(name, value));
    }
    Headers given = fields.build();
    if (length > 0 && !given.contains(HeaderName.CONTENT_LENGTH)) {
      given = fields.add(HeaderName.CONTENT_LENGTH, Long.toString(length)).build();
    }
    return Response.builder(status).headers(given).build();
  }

  @Override
  public boolean suspend(long timeout, TimeUnit unit, @Nullable TimeoutHandler handler) {
    lock.lock();
    try {
      if (suspended) {
        return false;
      }
      suspended = true;
      timeoutHandler = handler;
      setSuspendTimeout(timeout, unit);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setSuspendTimeout(long timeout, TimeUnit unit) {
    lock.lock();
    try {
      if (!suspended) {
        throw new IllegalStateException("the response is not suspended");
      }
      timed = timeout > 0;
      deadlineNanos = System.nanoTime() + unit.toNanos(timeout);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void commit() {
    lock.lock();
    try {
      if (content != null && failure == null && !left) {
        content.close();
      }
    } catch (IOException e) {
      failure = e;
    } finally {
      done = true;
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Has the handler throw this: without details in a 500, or by cutting the response. */
  @Override
  public void failure(Throwable error) {
    lock.lock();
    try {
      if (!done) {
        failure = error;
        done = true;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Jersey determines the length of short entities, as its property for that says. */
  @Override
  public boolean enableResponseBuffering() {
    return true;
  }

  /** What Jersey writes to. Closing is left to {@link #commit}, which knows of failures. */
  private final class Content extends OutputStream {
    private final OutputStream out;

    Content(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      lock.lock();
      try {
        checkPresent();
        out.write(source, offset, size);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void flush() throws IOException {
      lock.lock();
      try {
        checkPresent();
        if (failure == null) {
          out.flush();
        }
      } finally {
        lock.unlock();
      }
    }

    private void checkPresent() throws IOException {
      if (left) {
        throw new IOException(exchange + " is no longer waiting for a response");
      }
    }
  }
}
