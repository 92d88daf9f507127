package heddle.adapters.okhttp;

import heddle.http.HttpVersion;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.TrailersSource;
import okhttp3.internal.platform.Platform;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response, whose end is the end of its exchange. Used by one thread at a time.
 * Cancelling the call closes the underlying response.
 */
final class ResponseSource implements Source {
  /**
   * How long the rest of a body that is closed early is read, so that its connection can be reused.
   */
  private static final long DRAIN_MILLIS = 100;

  private final HeddleExchange exchange;
  private final CallState state;
  private final Response response;
  private final long length;

  /** The reader's own read timeout, in addition to the client's timeouts. */
  private final OperationTimeout limit = new OperationTimeout(this::giveUp);

  /** Finds bodies that became garbage before they were read to their end or closed. */
  private static final Cleaner GARBAGE = Cleaner.create();

  private @Nullable InputStream input;
  private @Nullable Source content;
  private long count;
  private boolean started;
  private boolean over;
  private boolean closed;

  /** Why the content ended early, thrown again by later reads; null if it did not. */
  private @Nullable IOException failure;

  /** Ended with the content; null if there is none. */
  private Cleaner.@Nullable Cleanable leak;

  private final AtomicBoolean ended = new AtomicBoolean();

  /** Whether all content has arrived, so that the trailers are known. */
  private volatile boolean complete;

  /**
   * @param length of the content; -1 if unknown, 0 if there is none
   */
  ResponseSource(HeddleExchange exchange, CallState state, Response response, long length) {
    this.exchange = exchange;
    this.state = state;
    this.response = response;
    this.length = length;
  }

  /** Begins the body, which ends at once if it has no content. */
  void open() throws IOException {
    state.bodyOpened();
    if (length == 0) {
      try {
        if (exchange.isDuplex()) {
          response.close(); // The server may end it no sooner than the program ends the request.
          tellEnd();
        } else {
          finish();
        }
      } catch (IOException e) {
        throw failed(e);
      }
    } else {
      HttpUrl url = state.call.request().url();
      Object stack = Platform.get().getStackTraceForCloseable("response.body().close()");
      AtomicBoolean properly = ended;
      leak = GARBAGE.register(this, () -> warnUnless(properly, url, stack));
    }
  }

  /** Logs a leak as OkHttp does. Holds no reference to the body. */
  private static void warnUnless(AtomicBoolean ended, HttpUrl url, @Nullable Object stack) {
    if (!ended.get()) {
      Platform.get()
          .logCloseableLeak(
              "A connection to " + Way.server(url)
                  + " was leaked. Did you forget to close a response body?",
              stack);
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
        complete = true;
        tellEnd();
        return -1;
      }
      count += read;
      // Over HTTP/2, trailers may arrive long after content of known length.
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

  /** Reads the end of the content, which frees the connection. */
  private void finish() throws IOException {
    content();
    InputStream stream = input;
    if (stream != null && stream.read() >= 0) {
      throw new IOException("the body has more than its " + length + " bytes");
    }
    complete = true;
    tellEnd();
  }

  private void start() {
    if (!started) {
      started = true;
      state.listener.responseBodyStart(state.call);
    }
  }

  private void tellEnd() {
    if (!over) {
      over();
      if (!state.isGivenUp()) {
        start();
        state.listener.responseBodyEnd(state.call, count);
      }
      exchange.ended(null);
    }
  }

  private IOException failed(IOException e) {
    IOException explained = exchange.explain(e);
    if (!over) {
      over();
      failure = explained;
      // Heddle does not know of a failure by a reader's timeout or interrupt.
      exchange.closeQuietly(response);
      state.listener.responseFailed(state.call, explained);
      exchange.ended(explained);
    }
    return explained;
  }

  /** No leak can follow. */
  private void over() {
    over = true;
    ended.set(true);
    if (leak != null) {
      leak.clean();
    }
  }

  /**
   * The trailers; null before the end of the content.
   *
   * @throws IOException if the body was closed before its end
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

  /** Discards the rest, waiting briefly for it so that the connection can be reused. */
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
    OperationTimeout brief = new OperationTimeout(this::giveUp);
    brief.timeout(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    brief.enter();
    try {
      skipAll();
      complete = true;
    } catch (IOException e) {
      // Only the connection is lost: the rest is not needed.
      complete = false;
      state.connectionLost();
    } finally {
      brief.exit();
    }
  }

  private void giveUp() {
    exchange.closeQuietly(response);
  }

  private void skipAll() throws IOException {
    InputStream opened = input;
    if (opened == null) {
      response.body().discard();
    } else {
      opened.transferTo(OutputStream.nullOutputStream());
    }
  }

  /** The trailers. Getting them reads the rest of the content. */
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
        throw new IOException("the trailers are not known: the body ended early");
      }
      return trailers;
    }
  }
}
