package heddle.adapters.okhttp;

import heddle.http.HttpVersion;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import okhttp3.EventListener;
import okhttp3.Headers;
import okhttp3.TrailersSource;
import okio.AsyncTimeout;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response, whose end is the end of its exchange. Used by one thread at a time;
 * who cancels the call closes what is below.
 */
final class ResponseSource implements Source {
  /** How long a body that is closed early is read on, so that its connection can be used again. */
  private static final long DRAIN_MILLIS = 100;

  private final HeddleExchange exchange;
  private final CallState state;
  private final Response response;
  private final long length;

  /** The time that a reader has set for its reads, beside the limits of the client. */
  private final AsyncTimeout limit = new AsyncTimeout() {
    @Override
    protected void timedOut() {
      exchange.closeQuietly(response);
    }

    @Override
    protected IOException newTimeoutException(@Nullable IOException cause) {
      SocketTimeoutException late = new SocketTimeoutException("timeout");
      return cause == null ? late : Failures.caused(late, cause);
    }
  };

  private @Nullable InputStream input;
  private @Nullable Source content;
  private long count;
  private boolean started;
  private boolean over;
  private boolean closed;

  /** Why the content has broken off, for whoever reads on; null where it has not. */
  private @Nullable IOException failure;

  /** Whether all has come, so that the trailers are known. */
  private volatile boolean complete;

  /**
   * @param length of the content; -1 where it is not known, 0 where there is none
   */
  ResponseSource(HeddleExchange exchange, CallState state, Response response, long length) {
    this.exchange = exchange;
    this.state = state;
    this.response = response;
    this.length = length;
  }

  /** The body begins; one without content ends at once. */
  void open() throws IOException {
    state.bodyOpened();
    if (length == 0) {
      try {
        finish();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    IOException before = failure;
    if (before != null) {
      throw before;
    }
    if (over) {
      return -1;
    }
    try {
      exchange.requireTime();
      long read = content().read(sink, byteCount);
      start();
      if (read < 0) {
        ended();
        return -1;
      }
      count += read;
      // Trailers of HTTP/2 may come long after content whose length is known.
      if (count == length && response.version() != HttpVersion.HTTP_2) {
        finish();
      }
      return read;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Source content() throws IOException {
    Source opened = content;
    if (opened == null) {
      InputStream stream = response.body().stream();
      input = stream;
      opened = limit.source(Okio.source(stream));
      content = opened;
    }
    return opened;
  }

  /** Nothing more is to come: reads the end, which sets the connection free. */
  private void finish() throws IOException {
    content();
    InputStream stream = input;
    if (stream != null && stream.read() >= 0) {
      throw new IOException("the body has more than its " + length + " bytes");
    }
    ended();
  }

  private void start() {
    if (!started) {
      started = true;
      listener().responseBodyStart(state.call);
    }
  }

  private void ended() {
    complete = true;
    tellEnd();
  }

  private void tellEnd() {
    if (!over) {
      over = true;
      if (!state.isGivenUp()) {
        start();
        listener().responseBodyEnd(state.call, count);
      }
      exchange.ended();
      state.bodyEnded(exchange, null);
    }
  }

  private IOException failed(IOException e) {
    IOException explained = exchange.explain(e);
    if (!over) {
      over = true;
      failure = explained;
      listener().responseFailed(state.call, explained);
      exchange.ended();
      state.bodyEnded(exchange, explained);
    }
    return explained;
  }

  private EventListener listener() {
    return state.listener;
  }

  /**
   * The fields after the content; null before its end.
   *
   * @throws IOException if nobody reads on to the end
   */
  okhttp3.@Nullable Headers trailers() throws IOException {
    if (closed && !complete) {
      throw new IOException(
          "the trailers are not known: the body was closed before it was read to its end");
    }
    return complete ? Messages.headers(response.trailers().get(), response.version()) : null;
  }

  @Override
  public Timeout timeout() {
    return limit;
  }

  /** Gives the rest up, having waited a moment for it where that saves the connection. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (over) {
      return;
    }
    boolean mayServeAgain = response.version() != HttpVersion.HTTP_2;
    if (mayServeAgain && !state.call.isCanceled() && !state.isGivenUp()) {
      drain();
    }
    try {
      response.close();
    } catch (IOException e) {
      throw failed(e);
    }
    tellEnd();
  }

  private void drain() {
    AsyncTimeout limit = new AsyncTimeout() {
      @Override
      protected void timedOut() {
        exchange.closeQuietly(response);
      }
    };
    limit.timeout(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    limit.enter();
    try {
      skipAll();
      complete = true;
    } catch (IOException e) {
      // Nobody wants the rest: its connection is lost, and nothing else.
      complete = false;
    } finally {
      limit.exit();
    }
  }

  private void skipAll() throws IOException {
    InputStream opened = input;
    if (opened == null) {
      response.body().discard();
    } else {
      opened.transferTo(OutputStream.nullOutputStream());
    }
  }

  /** The fields after the content, for which the rest of it is read. */
  record Trailers(ResponseSource content, BufferedSource source) implements TrailersSource {
    @Override
    public @Nullable Headers peek() throws IOException {
      return content.trailers();
    }

    @Override
    public Headers get() throws IOException {
      if (source.isOpen()) {
        source.readAll(Okio.blackhole());
      }
      Headers trailers = peek();
      if (trailers == null) {
        throw new IOException("the trailers are not known: the body has broken off");
      }
      return trailers;
    }
  }
}
