package heddle.adapters.okhttp;

import heddle.adapters.support.TimeLimit;
import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Status;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * One request of a call, sent over Heddle, and its response. Used by the thread that makes the
 * call, and then by the one that reads the response's body; {@link #abort} by any.
 */
final class HeddleExchange implements ExchangeListener {
  private final CallState state;
  private final Interceptor.Chain chain;
  private final Transport transport;
  private final ExchangeEvents events;
  private final Interruption waiting = new Interruption();

  /** The deadline of the whole call, by {@link System#nanoTime}; 0 for none. */
  private final long callEndsAt;

  /** The tunnel of the current route; null if it needs none. */
  private @Nullable Tunnel tunnel;

  /** The content of the current request; null if it has none. */
  private @Nullable RequestContent content;

  private @Nullable TimeLimit writeLimit;
  private volatile boolean writeLimitPassed;

  /** Whether the request is the first on its connection. */
  private boolean isFresh;

  /** Whether the deadline of the call had passed when its content was read. */
  private boolean isLate;

  /** Whether the connection no longer needs content when writing it has returned. */
  private boolean writesAtOnce;

  private volatile heddle.http.@Nullable Response received;

  HeddleExchange(CallState state, Interceptor.Chain chain, Transport transport, Request request) {
    this.state = state;
    this.chain = chain;
    this.transport = transport;
    this.events = new ExchangeEvents(state, request);
    this.callEndsAt = state.endsAt();
  }

  HeddleConnection connection() {
    return events.connection();
  }

  /**
   * Sends the request and waits for the head of the response.
   *
   * @param request as changed by network interceptors
   */
  Response execute(Request request) throws IOException {
    transport.checkUnchanged(chain);
    Schemes.checkAllowed(request, state.call.getClient());
    List<Way> ways = transport.ways(chain, request.url());
    events.selected(ways);
    state.begin(this);
    heddle.http.Response response = sendAny(request, ways);
    received = response;
    try {
      state.checkNotCancelled();
      return respond(request, response);
    } catch (IOException | RuntimeException e) {
      closeQuietly(response);
      throw e;
    }
  }

  /** Sends the request by the first route that works. */
  private heddle.http.Response sendAny(Request request, List<Way> ways) throws IOException {
    IOException earlier = null;
    for (Way way : ways) {
      try {
        heddle.http.Response response = send(request, way);
        transport.gone(way);
        return response;
      } catch (IOException e) {
        if (earlier == null) {
          earlier = e;
        } else {
          earlier.addSuppressed(e);
        }
        if (state.call.isCanceled()) {
          throw earlier;
        }
        boolean another = Failures.isOfWay(e);
        if (another || (isFresh && Failures.isOfConnection(e))) {
          transport.notGone(way, ways.size() > 1);
          way.tellSelector(chain, events.url(), e);
        }
        if (!another) {
          throw earlier;
        }
      }
    }
    throw Objects.requireNonNull(earlier, "there is at least one route");
  }

  private heddle.http.Response send(Request request, Way way) throws IOException {
    HttpClient client = transport.clientFor(chain, way);
    isFresh = false;
    RequestContent given = content(request);
    content = given;
    heddle.http.Request sent = Messages.request(
        Way.withoutForeignCredentials(
            request, chain.request(), way.isHttp() && !transport.tunnels(request.url())),
        given == null ? Body.empty() : given,
        left(),
        given == null ? null : events.informed(request));
    events.goes(way);
    events.sending(request, given != null && given.length() == 0);
    tunnel = way.isHttp() && transport.tunnels(request.url())
        ? new Tunnel(way, state.call.getClient(), chain.getProxyAuthenticator(), request.url())
        : null;
    return send(client, sent, given, way);
  }

  private @Nullable RequestContent content(Request request) throws IOException {
    RequestBody body = request.body();
    if (body == null) {
      return null;
    }
    int millis = chain.writeTimeoutMillis();
    if (millis > 0) {
      writeLimit = new TimeLimit(TimeUnit.MILLISECONDS.toNanos(millis), this::writtenTooLong);
    }
    return new RequestContent(body, body.contentLength(), this);
  }

  private void writtenTooLong() {
    writeLimitPassed = true;
    waiting.interrupt();
  }

  /** The remaining time of the call; null for no limit. */
  private @Nullable Duration left() {
    return callEndsAt == 0 ? null : Duration.ofNanos(Math.max(1, callEndsAt - System.nanoTime()));
  }

  private heddle.http.Response send(
      HttpClient client, heddle.http.Request request, @Nullable RequestContent sent, Way way)
      throws IOException {
    if (!waiting.enter()) {
      throw new IOException("Canceled");
    }
    heddle.http.Response response = null;
    IOException failure = new IOException("the response arrived after the call had ended");
    boolean cut = true;
    try {
      response = way.isDirect()
          ? isObserved() ? client.send(request, this) : client.send(request)
          : sendThrough(client, request, way);
    } catch (IOException e) {
      failure = e;
    } finally {
      writing(false);
      cut = waiting.leave();
    }
    if (response != null && !cut) {
      return response;
    }
    if (response != null) {
      closeQuietly(response);
    }
    if (sent != null && !state.call.isCanceled()) {
      sent.rethrowOwn();
    }
    IOException explained = explain(failure);
    events.failed(explained);
    throw explained;
  }

  private heddle.http.Response sendThrough(HttpClient client, heddle.http.Request request, Way way)
      throws IOException {
    Way.Sending sending = () -> client.send(request, this);
    Tunnel opened = tunnel;
    return Way.send(transport.proxy(way), opened == null ? sending : () -> opened.send(sending));
  }

  /**
   * Whether events of the exchange are needed. Otherwise no listener is set, which costs nothing.
   */
  private boolean isObserved() {
    RequestContent sent = content;
    return state.listener != EventListener.NONE
        || (sent != null && (writeLimit != null || sent.wantsToKnow()))
        || events.isSecure()
        || chain.getAuthenticator() != Authenticator.NONE
        || !state.call.getClient().networkInterceptors().isEmpty();
  }

  // ---- the response

  private Response respond(Request request, heddle.http.Response response) throws IOException {
    HeddleConnection on = events.connection();
    Response head = new Response.Builder()
        .request(request)
        .protocol(on.protocol(response.version()))
        .code(response.status().code())
        .message(Messages.phrase(response))
        .headers(Messages.headers(response.headers(), response.version()))
        .handshake(on.handshake())
        .sentRequestAtMillis(events.sentAtMillis())
        .receivedResponseAtMillis(System.currentTimeMillis())
        .build();
    events.head(head);
    long announced = Messages.announcedLength(response);
    int code = head.code();
    if ((code == 204 || code == 205) && announced > 0) {
      throw new ProtocolException("HTTP " + code + " had non-zero Content-Length: " + announced);
    }
    long length = Messages.promisesBody(head) ? announced : 0;
    ResponseSource content = new ResponseSource(this, state, response, length);
    content.open();
    BufferedSource source = Okio.buffer(content);
    return head.newBuilder()
        .body(new HeddleResponseBody(head.header("Content-Type"), length, source))
        .trailers(new ResponseSource.Trailers(content, source))
        .build();
  }

  // ---- the end

  /** Called when the end of the body was reported: nothing can be aborted any more. */
  void ended() {
    received = null;
  }

  /** Aborts the exchange, because the call was cancelled. Waiting threads fail. From any thread. */
  void abort() {
    waiting.interrupt();
    heddle.http.Response open = received;
    if (open != null) {
      closeQuietly(open);
    }
  }

  /**
   * Called before more content is read, even if it arrived in time.
   *
   * @throws IOException if the deadline of the call has passed
   */
  void requireTime() throws IOException {
    if (callEndsAt != 0 && System.nanoTime() - callEndsAt >= 0) {
      isLate = true;
      state.call.cancel();
      throw new InterruptedIOException("the deadline of the call has passed");
    }
  }

  /** Closes a response, ignoring failures. */
  void closeQuietly(heddle.http.Response response) {
    try {
      response.close();
    } catch (IOException e) {
      // The rest will not be read, whether or not its connection can be reused.
      received = null;
    }
  }

  /** Returns the exception to throw when Heddle has thrown this one. */
  IOException explain(IOException e) {
    if (writeLimitPassed) {
      return Failures.caused(new SocketTimeoutException("timeout"), e);
    }
    if (isLate) {
      return Failures.caused(new InterruptedIOException("timeout"), e);
    }
    if (state.call.isCanceled()) {
      heddle.http.Response open = received;
      return open == null ? new IOException("Canceled", e) : Failures.cancelled(open.version(), e);
    }
    boolean late = e instanceof DeadlineExceededException
        && callEndsAt != 0
        && System.nanoTime() - callEndsAt >= 0;
    if (late) {
      state.call.cancel();
      return Failures.caused(new InterruptedIOException("timeout"), e);
    }
    Tunnel refused = tunnel;
    return refused != null && e instanceof ProxyException refusal
        ? refused.explain(refusal)
        : Failures.translate(e, events.url());
  }

  // ---- called by the request's body

  void bodyStarts() {
    events.bodyStarts();
  }

  void bodySent(long bytes) {
    events.bodySent(bytes);
    writing(true);
  }

  /** Starts or stops the write timeout, which runs while content is being sent. */
  void writing(boolean begins) {
    TimeLimit limit = writeLimit;
    if (limit != null && begins) {
      limit.begin();
    } else if (limit != null) {
      limit.end();
    }
  }

  /**
   * Whether content in memory is no longer needed once the connection has written it. False over
   * HTTP/2, where it may wait in the connection's queue, and with a given client, whose steps may
   * keep it.
   */
  boolean writesAtOnce() {
    return writesAtOnce;
  }

  // ---- called by Heddle, on the thread of the call

  @Override
  public void attemptStarted(AttemptInfo attempt) {
    events.attemptStarted();
  }

  @Override
  public void resolved(
      AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {
    events.resolved(host, addresses);
  }

  @Override
  public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
    events.connected(address);
  }

  @Override
  public void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
    isFresh = !reused;
    writesAtOnce = !transport.isGiven() && connection.version() == HttpVersion.HTTP_1_1;
    events.acquired(connection);
  }

  @Override
  public void requestSent(AttemptInfo attempt, Duration took) {
    writing(false);
    RequestContent sent = content;
    if (sent != null) {
      sent.sent(writesAtOnce);
    }
    events.requestSent();
  }

  @Override
  public void responseHead(AttemptInfo attempt, Status status, Duration took) {
    events.answered(status);
  }

  @Override
  public void attemptEnded(AttemptInfo ended, @Nullable Status status, @Nullable IOException e) {
    events.attemptEnded(e);
  }

  @Override
  public void retried(AttemptInfo ended, Duration delay) {
    events.retried();
  }
}
