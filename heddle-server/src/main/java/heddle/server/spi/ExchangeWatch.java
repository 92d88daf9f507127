package heddle.server.spi;

import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ServerOverloadedException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees an exchange to the end of its response, for filters that log and measure: also of a response
 * that is streamed after its handler has returned, or that the handler has begun.
 *
 * <pre>{@code
 * Filter log = (exchange, next) -> ExchangeWatch.answer(
 *     exchange, next, end -> System.out.println(exchange.request().path() + " " + end.status()));
 * }</pre>
 */
public final class ExchangeWatch {
  private static final System.Logger LOG = System.getLogger(ExchangeWatch.class.getName());

  /** As much of a begun response is collected before anything is sent, see Exchange.begin. */
  private static final int COLLECTED = 16 * 1024;

  private final Exchange exchange;
  private final Consumer<? super ExchangeSummary> listener;
  private final long startedAt = System.nanoTime();
  private boolean ended;

  private ExchangeWatch(Exchange exchange, Consumer<? super ExchangeSummary> listener) {
    this.exchange = exchange;
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /**
   * Answers with what {@code next} answers.
   *
   * @param ended called once, on the thread that answers, when the response has ended. What it
   *     throws is logged and otherwise ignored. It must not block for long: the client may have its
   *     response, but the server still counts the request
   * @return what the filter returns: the response, which is to be passed on, or null
   * @throws Exception what {@code next} throws
   */
  public static @Nullable Response answer(
      Exchange exchange, ExchangeHandler next, Consumer<? super ExchangeSummary> ended)
      throws Exception {
    return new ExchangeWatch(exchange, ended).answer(next);
  }

  private @Nullable Response answer(ExchangeHandler next) throws Exception {
    Watched watched = new Watched(exchange);
    Response response;
    try {
      response = next.handle(watched);
      WatchedOutput begun = watched.output;
      if (begun != null && response == null && !watched.aborted) {
        begun.close();
      }
    } catch (Exception | Error e) {
      failed(watched, e);
      throw e;
    }
    if (watched.switched) {
      end(Status.SWITCHING_PROTOCOLS, 0, !watched.aborted, null);
    } else if (watched.aborted) {
      aborted(watched.output, null);
    } else if (response == null && watched.output == null) {
      failed(watched, new NullPointerException("the handler returned null"));
    } else if (response != null && watched.output != null) {
      failed(watched, new IllegalStateException("a response was begun, another returned"));
    } else if (response != null) {
      return response.withBody(new WatchedBody(response.body(), this, response.status()));
    }
    return response;
  }

  private void aborted(@Nullable WatchedOutput begun, @Nullable Throwable failure) {
    if (begun != null) {
      begun.ended(false, failure);
    } else {
      end(Status.INTERNAL_SERVER_ERROR, 0, false, failure);
    }
  }

  private void failed(Watched watched, Throwable failure) {
    WatchedOutput begun = watched.output;
    if (watched.switched) {
      end(Status.SWITCHING_PROTOCOLS, 0, false, failure);
    } else if (watched.aborted) {
      aborted(begun, failure);
    } else if (begun != null && begun.mayHaveSent()) {
      begun.ended(false, failure);
    } else {
      end(statusOf(failure), 0, true, failure);
    }
  }

  /** As the server answers a handler's failure. */
  private Status statusOf(Throwable failure) {
    Status fault = exchange.statusOfFault(failure);
    if (fault != null) {
      return fault;
    }
    return ServerOverloadedException.isBehind(failure)
        ? Status.SERVICE_UNAVAILABLE
        : Status.INTERNAL_SERVER_ERROR;
  }

  /** Whether a response with this status has no content, regardless of its body. */
  boolean dropsContent(Status status) {
    Method method = exchange.request().method();
    return method.equals(Method.HEAD)
        || !status.mayHaveContent()
        || (method.equals(Method.CONNECT) && status.isSuccess());
  }

  /** Tells the listener, the first time. */
  void end(Status status, long contentBytes, boolean complete, @Nullable Throwable failure) {
    if (ended) {
      return;
    }
    ended = true;
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startedAt);
    try {
      listener.accept(new ExchangeSummary(status, contentBytes, complete, failure, elapsed));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener failed at the end of " + exchange, e);
    }
  }

  /** The exchange that the handler sees. */
  private final class Watched extends ForwardingExchange {
    @Nullable
    WatchedOutput output;

    boolean switched;
    boolean aborted;

    Watched(Exchange exchange) {
      super(exchange);
    }

    @Override
    public Upgraded switchProtocols(String protocol, Headers fields) throws IOException {
      Upgraded upgraded = super.switchProtocols(protocol, fields);
      switched = true;
      return upgraded;
    }

    @Override
    public void abort() {
      super.abort();
      aborted = true;
    }

    @Override
    public OutputStream begin(Response head) {
      WatchedOutput begun = new WatchedOutput(super.begin(head), head.status());
      output = begun;
      return begun;
    }
  }

  /** The content of a response that the handler has begun. */
  private final class WatchedOutput extends OutputStream {
    private final OutputStream out;
    private final Status status;
    private final boolean dropped;
    private long written;
    private boolean flushed;

    WatchedOutput(OutputStream out, Status status) {
      this.out = out;
      this.status = status;
      this.dropped = dropsContent(status);
    }

    boolean mayHaveSent() {
      return flushed || written > COLLECTED || ended;
    }

    void ended(boolean complete, @Nullable Throwable failure) {
      end(status, dropped ? 0 : written, complete, failure);
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      run(() -> out.write(source, offset, size));
      written += size;
    }

    @Override
    public void flush() throws IOException {
      run(out::flush);
      flushed = true;
    }

    @Override
    public void close() throws IOException {
      run(out::close);
      ended(true, null);
    }

    private void run(Step step) throws IOException {
      try {
        step.run();
      } catch (IOException | RuntimeException | Error e) {
        if (mayHaveSent()) {
          ended(false, e);
        }
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
