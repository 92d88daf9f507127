package heddle.adapters.okhttp;

import heddle.adapters.support.TimeLimit;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import heddle.http.failure.TlsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownServiceException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.ConnectionSpec;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.internal.http.RealResponseBody;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * One request of a call, sent over Heddle, and its response. Used by the thread that makes the
 * call, and then by the one that reads the response's body; {@link #abort} by any.
 */
final class HeddleExchange {
  private final CallState state;
  private final Interceptor.Chain chain;
  private final Transport transport;
  private final ExchangeEvents events;

  /** The deadline of the whole call, by {@link System#nanoTime}; 0 for none. */
  private final long callEndsAt;

  /** The tunnel of the current route; null if it needs none. */
  private @Nullable Tunnel tunnel;

  /** The content of the current request; null if it has none. */
  private @Nullable RequestContent content;

  private @Nullable TimeLimit writeLimit;
  private volatile boolean writeLimitPassed;

  /** Whether the deadline of the call had passed when its content was read. */
  private boolean isLate;

  /** Heddle's call; null before it, and when nothing can be aborted any more. */
  private volatile @Nullable HttpCall running;

  /** The version of the response; null before it. */
  private volatile @Nullable HttpVersion answered;

  HeddleExchange(CallState state, Interceptor.Chain chain, Transport transport) {
    this.state = state;
    this.chain = chain;
    this.transport = transport;
    this.events = new ExchangeEvents(state, chain.request(), this::written);
    this.callEndsAt = state.endsAt();
  }

  EventListener listener() {
    return state.listener;
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
    checkScheme(request, state.call.getClient());
    List<Way> ways = transport.ways(chain, request.url());
    events.selected(ways);
    state.begin(this);
    heddle.http.Response response = sendAny(request, ways);
    answered = response.version();
    try {
      state.checkNotCancelled();
      return respond(request, response);
    } catch (IOException | RuntimeException e) {
      closeQuietly(response);
      throw e;
    }
  }

  private static void checkScheme(Request request, OkHttpClient client)
      throws UnknownServiceException {
    boolean known = client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE);
    if (request.isHttps() && client.x509TrustManager() == null) {
      throw new UnknownServiceException("CLEARTEXT-only client");
    }
    if (request.isHttps() && known) {
      throw new UnknownServiceException("H2_PRIOR_KNOWLEDGE cannot be used with HTTPS");
    }
    if (!request.isHttps() && !client.connectionSpecs().contains(ConnectionSpec.CLEARTEXT)) {
      throw new UnknownServiceException("CLEARTEXT communication not enabled for client");
    }
  }

  /** Sends the request by the first route that works. */
  private heddle.http.Response sendAny(Request request, List<Way> ways) throws IOException {
    IOException earlier = null;
    for (Way way : ways) {
      try {
        heddle.http.Response response = sendToAny(request, way);
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
        if (another || (events.isFresh() && Failures.isOfConnection(e))) {
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

  /** Sends the request to the first address of a route whose TLS handshake succeeds. */
  private heddle.http.Response sendToAny(Request request, Way way) throws IOException {
    IOException earlier;
    try {
      return send(request, way);
    } catch (IOException e) {
      earlier = e;
    }
    OtherAddresses others = new OtherAddresses();
    IOException latest = earlier;
    while (Failures.origin(latest) instanceof TlsException
        && !transport.isGiven()
        && !state.call.isCanceled()
        && others.hasOtherThan(events.failedAddress(), events.addresses())) {
      events.triesAnotherAddress();
      try {
        return others.send(() -> send(request, way));
      } catch (IOException e) {
        earlier.addSuppressed(e);
        latest = e;
      }
    }
    throw earlier;
  }

  private heddle.http.Response send(Request request, Way way) throws IOException {
    HttpClient client = transport.clientFor(chain, way);
    RequestContent given = content(request);
    content = given;
    heddle.http.Request sent = Messages.request(
        Way.withoutForeignCredentials(
            request, state.first(), way.isHttp() && !transport.tunnels(request.url())),
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
    abort();
  }

  /** The remaining time of the call; null for no limit. */
  private @Nullable Duration left() {
    return callEndsAt == 0 ? null : Duration.ofNanos(Math.max(1, callEndsAt - System.nanoTime()));
  }

  private heddle.http.Response send(
      HttpClient client, heddle.http.Request request, @Nullable RequestContent sent, Way way)
      throws IOException {
    HttpCall call =
        isObserved() || !way.isDirect() ? client.newCall(request, events) : client.newCall(request);
    running = call;
    // Cancelling sets its flag first and then reads the call.
    state.checkNotCancelled();
    IOException failure;
    try {
      return way.isDirect() ? call.execute() : executeThrough(call, way);
    } catch (IOException e) {
      failure = e;
    } finally {
      writing(false);
    }
    if (sent != null && !state.call.isCanceled()) {
      sent.rethrowOwn();
    }
    IOException explained = explain(failure);
    events.failed(explained);
    Failures.rethrowThrown(explained);
    throw explained;
  }

  private heddle.http.Response executeThrough(HttpCall call, Way way) throws IOException {
    Tunnel opened = tunnel;
    return Way.send(
        transport.proxy(way), opened == null ? call::execute : () -> opened.send(call::execute));
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
    RequestContent sending = content;
    boolean heard = events.isSendingContent() && state.listener != EventListener.NONE;
    if (heard && sending != null && sending.isCutOff()) {
      events.cutOff();
    }
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
        .body(new RealResponseBody(head.header("Content-Type"), length, source))
        .trailers(new ResponseSource.Trailers(content, source))
        .build();
  }

  // ---- the end

  /** Called when the end of the body was reported: nothing can be aborted any more. */
  void ended() {
    running = null;
  }

  /** Aborts the exchange. Waiting threads fail. From any thread. */
  void abort() {
    HttpCall open = running;
    if (open != null) {
      open.cancel();
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
      running = null;
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
      HttpVersion open = answered;
      return open == null ? new IOException("Canceled", e) : Failures.cancelled(open, e);
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
    return !transport.isGiven() && events.isAcquiredHttp11();
  }

  private void written() {
    writing(false);
    RequestContent sent = content;
    if (sent != null) {
      sent.sent(writesAtOnce());
    }
  }
}
