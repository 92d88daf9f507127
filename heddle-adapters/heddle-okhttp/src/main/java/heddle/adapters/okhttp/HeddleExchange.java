package heddle.adapters.okhttp;

import heddle.adapters.support.CallLocal;
import heddle.adapters.support.SocketFailures;
import heddle.adapters.support.TimeLimit;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.InformationalListener;
import heddle.http.Status;
import heddle.http.duplex.UpgradeContent;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.UnknownServiceException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.ConnectionSpec;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.internal.UnreadableResponseBodyKt;
import okhttp3.internal.http.RealResponseBody;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * One request of a call, sent over Heddle, and its response. Reports their events in OkHttp's
 * order. Used by the thread that makes the call, which is also the one that Heddle calls it on, and
 * then by the one that reads the response's body; {@link #abort} by any.
 */
final class HeddleExchange implements ExchangeListener {
  /** The progress of the request that the call's listener knows. */
  private enum Progress {
    BEGUN,
    CONNECTING,
    HEAD,
    HEAD_SENT,
    CONTENT,
    SENT,
    ANSWERED
  }

  /** The exchange whose request the current thread sends by a route with a choice. */
  private static final CallLocal<HeddleExchange> CURRENT = new CallLocal<>();

  private final CallState state;
  private final Call call;
  private final EventListener listener;
  private final Interceptor.Chain chain;
  private final Transport transport;
  private final OkHttpClient client;
  private final HttpUrl url;

  /** The deadline of the whole call, by {@link System#nanoTime}; 0 for none. */
  private final long callEndsAt;

  /** The request as network interceptors have changed it. */
  private Request request;

  // ---- the route

  private Way way;
  private List<Way> ways = List.of();

  /** Whether the selection of proxies was reported. */
  private boolean selected;

  /** Heddle's proxy; null for a direct route. */
  private heddle.client.spi.@Nullable Proxy proxy;

  private @Nullable Tunnel tunnel;

  /** Addresses whose TLS handshake has failed. */
  private Set<InetAddress> failed = Set.of();

  private int addresses;
  private @Nullable InetAddress reached;
  private @Nullable InetSocketAddress connectingTo;

  // ---- the request

  /** The connection of the attempt before it is acquired. Not reported afterwards. */
  private final HeddleConnection connection;

  /** The connection that users see; null until the attempt has one. */
  private @Nullable HeddleConnection acquired;

  /** Whether the request is the first on its connection. */
  private boolean fresh;

  private @Nullable RequestContent content;

  /** The content of a duplex request; null for others. */
  private volatile @Nullable DuplexBody duplex;

  /** The body of a request that offers another protocol; null for others. */
  private @Nullable UpgradeContent upgrade;

  private Progress progress = Progress.BEGUN;
  private boolean responseStarted;
  private @Nullable IOException attemptFailure;
  private long sentAtMillis;
  private @Nullable TimeLimit writeLimit;
  private volatile boolean writeLimitPassed;

  /** Whether the deadline of the call had passed when its content was read. */
  private boolean isLate;

  /** Whether OkHttp itself keeps the deadline of the call, until the head of the response. */
  private volatile boolean isOpenEnded;

  /** The response of a server that has switched to another protocol; null for others. */
  private volatile heddle.http.@Nullable Response switched;

  /** Heddle's call; null before it, and when nothing can be aborted any more. */
  private volatile @Nullable HttpCall running;

  private volatile @Nullable HttpVersion answered;

  HeddleExchange(CallState state, Interceptor.Chain chain, Transport transport) {
    this.state = state;
    this.call = state.call;
    this.listener = state.listener;
    this.chain = chain;
    this.transport = transport;
    this.client = state.call.getClient();
    this.request = chain.request();
    this.url = request.url();
    this.way = Way.direct(url);
    this.callEndsAt = state.endsAt();
    this.connection = new HeddleConnection(client, url);
  }

  EventListener listener() {
    return listener;
  }

  Call call() {
    return call;
  }

  boolean isDuplex() {
    return duplex != null;
  }

  HeddleConnection connection() {
    HeddleConnection known = acquired;
    return known == null ? connection : known;
  }

  // ---- what Heddle asks for the request of the current thread

  static List<heddle.client.spi.Proxy> chosenProxies() {
    HeddleExchange current = CURRENT.get();
    return current == null || current.proxy == null ? List.of() : List.of(current.proxy);
  }

  /** Whether an address may be tried, as its TLS handshake has not failed. */
  static boolean mayReach(InetAddress address) {
    HeddleExchange current = CURRENT.get();
    return current == null || !current.failed.contains(address);
  }

  static @Nullable Tunnel currentTunnel() {
    HeddleExchange current = CURRENT.get();
    return current == null ? null : current.tunnel;
  }

  // ---- sending

  /**
   * Sends the request and waits for the head of the response.
   *
   * @param changed the request as changed by network interceptors
   */
  Response execute(Request changed) throws IOException {
    transport.checkUnchanged(chain);
    checkScheme(changed);
    request = changed;
    ways = transport.ways(chain, changed.url());
    state.begin(this);
    heddle.http.Response response = sendAny();
    answered = response.version();
    try {
      state.checkNotCancelled();
      return respond(response);
    } catch (IOException | RuntimeException e) {
      closeQuietly(response);
      throw e;
    }
  }

  private void checkScheme(Request request) throws UnknownServiceException {
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
  private heddle.http.Response sendAny() throws IOException {
    IOException first = null;
    for (Way each : ways) {
      way = each;
      connection.goes(each);
      failed = Set.of();
      IOException latest;
      do {
        try {
          heddle.http.Response response = send();
          transport.gone(each);
          return response;
        } catch (IOException e) {
          latest = e;
        }
        if (first == null) {
          first = latest;
        } else {
          first.addSuppressed(latest);
        }
      } while (hasAnotherAddress(latest));
      if (call.isCanceled()) {
        throw first;
      }
      boolean another = Failures.isOfWay(latest);
      if (another || (fresh && Failures.isOfConnection(latest))) {
        transport.notGone(each, ways.size() > 1);
        each.tellSelector(chain, url, latest);
      }
      if (!another) {
        throw first;
      }
    }
    throw Objects.requireNonNull(first, "there is at least one route");
  }

  /** Whether a TLS handshake has failed, and the host has an address whose handshake has not. */
  private boolean hasAnotherAddress(IOException failure) {
    InetAddress tried = reached;
    if (tried == null || transport.isGiven() || call.isCanceled() || !Failures.isOfTls(failure)) {
      return false;
    }
    if (failed.isEmpty()) {
      failed = new HashSet<>();
    }
    return failed.add(tried) && addresses > failed.size();
  }

  private heddle.http.Response send() throws IOException {
    Body body = body();
    boolean tunnels = way.isHttp() && (upgrade != null || transport.tunnels(request.url()));
    heddle.http.Request sent = Messages.request(
        Way.withoutForeignCredentials(request, state.first(), way.isHttp() && !tunnels),
        body,
        left(),
        informed());
    if (upgrade != null) {
      sent = sent.toBuilder().version(HttpVersion.HTTP_1_1).build();
    }
    heddle.http.Request whole = sent;
    sentAtMillis = System.currentTimeMillis();
    tunnel = tunnels ? new Tunnel(way, client, chain.getProxyAuthenticator(), request.url()) : null;
    proxy = way.isDirect() ? null : transport.proxy(way);
    return transport.call(chain, way, heddle -> send(heddle, whole));
  }

  private Body body() throws IOException {
    RequestBody given = request.body();
    duplex = null;
    content = null;
    upgrade = null;
    isOpenEnded = true;
    if (given != null && given.isDuplex()) {
      DuplexBody body = new DuplexBody(given, this, chain.writeTimeoutMillis());
      duplex = body;
      return body;
    }
    RequestContent written = given == null ? null : content(given);
    content = written;
    Body body = written == null ? Body.empty() : written;
    if (offersProtocol()) {
      UpgradeContent offer = new UpgradeContent(body);
      upgrade = offer;
      return offer;
    }
    isOpenEnded = false;
    return body;
  }

  /** Over HTTP/2, OkHttp omits such an offer. */
  private boolean offersProtocol() {
    return request.header("Upgrade") != null
        && "upgrade".equalsIgnoreCase(request.header("Connection"))
        && !client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE);
  }

  private RequestContent content(RequestBody body) throws IOException {
    int millis = chain.writeTimeoutMillis();
    if (millis > 0) {
      writeLimit = new TimeLimit(TimeUnit.MILLISECONDS.toNanos(millis), () -> {
        writeLimitPassed = true;
        abort();
      });
    }
    return new RequestContent(body, body.contentLength(), this);
  }

  /** The remaining time of the call; null for no limit. */
  private @Nullable Duration left() {
    return callEndsAt == 0 || isOpenEnded
        ? null
        : Duration.ofNanos(Math.max(1, callEndsAt - System.nanoTime()));
  }

  /** The listener of informational responses to a request with content; null for none. */
  private @Nullable InformationalListener informed() {
    return request.body() != null
            && listener != EventListener.NONE
            && "100-continue".equalsIgnoreCase(request.header("Expect"))
        ? (status, fields) -> informed(status)
        : null;
  }

  private heddle.http.Response send(HttpClient heddle, heddle.http.Request sent)
      throws IOException {
    boolean chooses = !way.isDirect() || !failed.isEmpty();
    HttpCall made = isObserved() || chooses ? heddle.newCall(sent, this) : heddle.newCall(sent);
    running = made;
    // Cancelling sets its flag first and then reads the call.
    state.checkNotCancelled();
    IOException failure;
    try {
      return CURRENT.execute(made, chooses ? this : null);
    } catch (IOException e) {
      failure = e;
    } finally {
      writing(false);
    }
    if (!call.isCanceled()) {
      rethrowOwn();
    }
    IOException explained = explain(failure);
    failed(explained);
    Failures.rethrowThrown(explained);
    throw explained;
  }

  private void rethrowOwn() throws IOException {
    if (content != null) {
      content.rethrowOwn();
    }
    DuplexBody given = duplex;
    if (given != null) {
      given.rethrowOwn();
    }
  }

  /**
   * Whether events of the exchange are needed. Otherwise no listener is set, which costs nothing.
   */
  private boolean isObserved() {
    RequestContent sent = content;
    return listener != EventListener.NONE
        || (sent != null && (writeLimit != null || sent.wantsToKnow()))
        || url.isHttps()
        || chain.getAuthenticator() != Authenticator.NONE
        || !client.networkInterceptors().isEmpty();
  }

  // ---- the response

  private Response respond(heddle.http.Response response) throws IOException {
    HeddleConnection on = connection();
    Response head = new Response.Builder()
        .request(request)
        .protocol(on.protocol(response.version()))
        .code(response.status().code())
        .message(Messages.phrase(response))
        .headers(Messages.headers(response.headers(), response.version()))
        .handshake(on.handshake())
        .sentRequestAtMillis(sentAtMillis)
        .receivedResponseAtMillis(System.currentTimeMillis())
        .build();
    RequestContent sending = content;
    boolean heard = progress == Progress.CONTENT && listener != EventListener.NONE;
    if (heard && sending != null && sending.isCutOff()) {
      cutOff();
    }
    responseStarts();
    progress = Progress.ANSWERED;
    listener.responseHeadersEnd(call, head);
    if (upgrade != null && response.status().equals(Status.SWITCHING_PROTOCOLS)) {
      return switched(head, response, upgrade);
    }
    isOpenEnded = duplex != null;
    long announced = Messages.announcedLength(response);
    int code = head.code();
    if ((code == 204 || code == 205) && announced > 0) {
      throw new ProtocolException("HTTP " + code + " had non-zero Content-Length: " + announced);
    }
    boolean empty = request.method().equals("HEAD") || !response.status().mayHaveContent();
    long length = empty ? 0 : announced;
    ResponseSource received = new ResponseSource(this, state, response, length);
    received.open();
    BufferedSource source = Okio.buffer(received);
    return head.newBuilder()
        .body(new RealResponseBody(head.header("Content-Type"), length, source))
        .trailers(new ResponseSource.Trailers(received, source))
        .build();
  }

  /** The server has switched to another protocol, which the program speaks over a socket. */
  private Response switched(Response head, heddle.http.Response response, UpgradeContent content)
      throws IOException {
    UpgradedSocket socket = new UpgradedSocket(
        this, response, content.output(), chain.readTimeoutMillis(), chain.writeTimeoutMillis());
    switched = response;
    state.bodyOpened();
    state.writingBegan();
    return UnreadableResponseBodyKt.stripBody(head).newBuilder().socket(socket).build();
  }

  // ---- the end

  /**
   * Called when the end of the body was reported.
   *
   * @param failure what reading throws; null for none
   */
  void ended(@Nullable IOException failure) {
    if (duplex == null && switched == null) {
      running = null; // Nothing can be aborted any more.
    }
    state.bodyEnded(this, failure);
    closeSocketIfOver();
  }

  /** The same for what the program writes to the connection itself. */
  void writingEnded(@Nullable IOException failure) {
    state.writingEnded(this, failure);
    closeSocketIfOver();
  }

  private void closeSocketIfOver() {
    heddle.http.Response open = switched;
    if (open != null && !state.isOpen()) {
      closeQuietly(open);
    }
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
    if (isPastDeadline()) {
      isLate = true;
      call.cancel();
      throw new InterruptedIOException("the deadline of the call has passed");
    }
  }

  private boolean isPastDeadline() {
    return callEndsAt != 0 && !isOpenEnded && System.nanoTime() - callEndsAt >= 0;
  }

  /** Closes a response, ignoring failures, and what the program may write on to its stream. */
  void closeQuietly(heddle.http.Response response) {
    DuplexBody written = duplex;
    if (written != null) {
      written.abort();
    }
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
      return SocketFailures.caused(
          new SocketTimeoutException("timeout"),
          new IOException(
              "the server took none of the content for " + chain.writeTimeoutMillis()
                  + " ms; raise OkHttpClient.writeTimeout",
              e));
    }
    if (isLate) {
      return Failures.callTimeout(e);
    }
    if (call.isCanceled() || e instanceof CallCancelledException) {
      HttpVersion open = answered;
      return open == null ? new IOException("Canceled", e) : Failures.cancelled(open, e);
    }
    if (e instanceof DeadlineExceededException && isPastDeadline()) {
      call.cancel();
      return Failures.callTimeout(e);
    }
    Tunnel refused = tunnel;
    return refused != null && e instanceof ProxyException refusal
        ? refused.explain(refusal)
        : Failures.translate(e, url, transport.isGiven());
  }

  // ---- called by the request's content

  /** The program gets a sink that writes to the connection. */
  void writingBegins() {
    state.writingBegan();
    bodyStarts();
  }

  void bodyStarts() {
    headSent();
    if (progress == Progress.HEAD_SENT) {
      progress = Progress.CONTENT;
      listener.requestBodyStart(call);
    }
  }

  void bodySent(long bytes) {
    if (progress == Progress.CONTENT) {
      listener.requestBodyEnd(call, bytes);
      progress = Progress.SENT;
    }
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
    return !transport.isGiven() && acquired != null && acquired.protocol() == Protocol.HTTP_1_1;
  }

  // ---- called by Heddle

  @Override
  public void attemptStarted(AttemptInfo attempt) {
    fresh = false;
    reached = null;
    acquired = null;
    progress = Progress.BEGUN;
    responseStarted = false;
    connectingTo = null;
  }

  @Override
  public void resolved(AttemptInfo attempt, String host, List<InetAddress> found, Duration took) {
    // Another address of the host needs no other look-up.
    if (failed.isEmpty()) {
      addresses = found.size();
      lookUp(host, found);
    }
    connectTo(connection.named(found.getFirst(), way.port()));
  }

  /**
   * @param found null if there are no addresses
   */
  private void lookUp(String host, @Nullable List<InetAddress> found) {
    if (!selected) {
      selected = true;
      listener.proxySelectStart(call, url);
      listener.proxySelectEnd(call, url, ways.stream().map(Way::proxy).toList());
    }
    // OkHttp does not look up the name of a SOCKS proxy itself.
    if (way.proxy().type() != Proxy.Type.SOCKS && !Way.isLiteral(host)) {
      listener.dnsStart(call, host);
      if (found != null) {
        listener.dnsEnd(call, host, found);
      }
    }
  }

  private void connectTo(InetSocketAddress address) {
    progress = Progress.CONNECTING;
    connectingTo = address;
    listener.connectStart(call, address, way.proxy());
  }

  @Override
  public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
    if (address instanceof InetSocketAddress peer) {
      InetSocketAddress named = connection.named(peer);
      InetSocketAddress earlier = connectingTo;
      if (reached != null && earlier != null) {
        // The proxy has closed the connection after its challenge: it had no protocol yet.
        listener.connectEnd(call, earlier, way.proxy(), null);
        earlier = null;
      }
      if (!named.equals(earlier)) {
        connectTo(named);
      }
      reached = peer.getAddress();
    }
    if (tunnel == null) {
      secureStarts();
    }
  }

  /** In a tunnel, this is known to happen only when it has happened. */
  private void secureStarts() {
    if (url.isHttps()) {
      listener.secureConnectStart(call);
    }
  }

  @Override
  public void acquired(AttemptInfo attempt, ConnectionInfo info, boolean reused, Duration took) {
    fresh = !reused;
    connection.is(info);
    InetSocketAddress opened = connectingTo;
    if (progress == Progress.CONNECTING && opened != null) {
      if (tunnel != null) {
        secureStarts();
      }
      if (url.isHttps()) {
        listener.secureConnectEnd(call, connection.handshake());
      }
      listener.connectEnd(call, opened, way.proxy(), connection.protocol());
    }
    HeddleConnection known = connection.known();
    acquired = known;
    state.acquired(known);
    progress = Progress.HEAD;
    sentAtMillis = System.currentTimeMillis();
    listener.requestHeadersStart(call);
  }

  /** To OkHttp, 100 (Continue) starts the response, before the content is sent. */
  private void informed(Status status) {
    if (status.equals(Status.CONTINUE) && progress == Progress.HEAD) {
      headSent();
      responseStarts();
    }
  }

  private void headSent() {
    if (progress == Progress.HEAD) {
      progress = Progress.HEAD_SENT;
      listener.requestHeadersEnd(call, request);
    }
  }

  @Override
  public void requestSent(AttemptInfo attempt, Duration took) {
    RequestContent sent = content;
    if (sent != null && sent.length() == 0) {
      bodyStarts();
      bodySent(0);
    }
    writing(false);
    if (sent != null) {
      sent.sent(writesAtOnce());
    }
    headSent();
    if (progress == Progress.HEAD_SENT) {
      progress = Progress.SENT;
    }
  }

  /** Over HTTP/1.1, content is sent on only after a successful response. */
  @Override
  public void responseHead(
      AttemptInfo attempt, Status status, heddle.http.Headers fields, Duration took) {
    if (progress == Progress.CONTENT
        && connection.protocol() == Protocol.HTTP_1_1
        && !status.isSuccess()) {
      cutOff();
    }
  }

  /** Called when the rest of the content is not sent, although there is a response. */
  private void cutOff() {
    progress = Progress.SENT;
    listener.requestFailed(
        call, new IOException("the server responded before it had received all of the content"));
  }

  private void responseStarts() {
    if (!responseStarted) {
      responseStarted = true;
      listener.responseHeadersStart(call);
    }
  }

  /** Reports that there is no response. */
  private void failed(IOException failure) {
    switch (progress) {
      case BEGUN -> {
        if (failure instanceof UnknownHostException || Failures.isThrown(failure)) {
          lookUp(way.host(), null);
        }
      }
      case CONNECTING -> {
        InetSocketAddress address = connectingTo;
        if (tunnel != null && Failures.isOfTls(failure)) {
          secureStarts();
        }
        if (address != null) {
          listener.connectFailed(call, address, way.proxy(), null, failure);
        }
      }
      case HEAD, HEAD_SENT, CONTENT -> {
        headSent();
        if (duplex == null) {
          // OkHttp counts buffered bytes as sent, and still reads a response.
          listener.requestFailed(call, failure);
        } else {
          bodyStarts(); // Its sink reports when it fails.
        }
        if (!Failures.isOfDuplex(failure)) {
          listener.responseFailed(call, failure);
        }
      }
      case SENT, ANSWERED -> listener.responseFailed(call, failure);
    }
  }

  @Override
  public void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
    attemptFailure = failure;
  }

  /** After a response there is no failure of the connection. */
  @Override
  public void retried(AttemptInfo ended, Duration delay) {
    IOException failure = attemptFailure;
    if (failure != null) {
      IOException explained = Failures.translate(failure, url, transport.isGiven());
      failed(explained);
      listener.retryDecision(call, explained, true);
      state.releaseConnection();
    }
  }
}
