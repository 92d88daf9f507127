package heddle.adapters.apache5;

import heddle.adapters.support.EntityContent;
import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.net.ssl.SSLSession;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a request executor sees, for one exchange. What the executor sends is
 * collected, and becomes one Heddle call when the executor receives. Used by one thread at a time,
 * except {@link #close}.
 */
final class HeddleConnection implements HttpClientConnection, ExchangeListener {
  private final HeddleEndpoint endpoint;
  private final Leased leased;
  private final HttpContext context;
  private final CallScope scope = new CallScope();

  /** Usually empty. */
  private final Queue<ClassicHttpResponse> interim = new ArrayDeque<>(1);

  private @Nullable ClassicHttpRequest request;
  private boolean withEntity;
  private @Nullable Response response;
  private boolean headTaken;
  private boolean contentTaken;

  /** Null until the request has a Heddle connection. */
  private volatile @Nullable ConnectionInfo info;

  HeddleConnection(HeddleEndpoint endpoint, HttpContext context) {
    this.endpoint = endpoint;
    this.leased = endpoint.leased();
    this.context = context;
  }

  // ---- sending

  @Override
  public void sendRequestHeader(ClassicHttpRequest head) throws HttpException {
    if (request != null && !headTaken) {
      throw new HttpException("a request was sent on this connection, but its response has not"
          + " been received: a connection carries one exchange at a time");
    }
    request = head;
    withEntity = false;
    headTaken = false;
    contentTaken = false;
    response = null;
    interim.clear();
  }

  @Override
  public void sendRequestEntity(ClassicHttpRequest owner) {
    withEntity = owner.getEntity() != null;
  }

  /** Does nothing: no part of the abandoned entity was sent. */
  @Override
  public void terminateRequest(ClassicHttpRequest owner) {
    withEntity = false;
  }

  /** Does nothing: the request is sent when its response is received. */
  @Override
  public void flush() {}

  /**
   * Whether a part of the response is available. While a request expects 100 (Continue), this
   * returns false at once: Heddle itself waits between head and entity.
   */
  @Override
  public boolean isDataAvailable(Timeout timeout) throws IOException {
    if (response == null && interim.isEmpty() && !isEntityOwed()) {
      try {
        exchange();
      } catch (HttpException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return response != null || !interim.isEmpty();
  }

  private boolean isEntityOwed() {
    ClassicHttpRequest sent = request;
    return sent == null || (sent.getEntity() != null && !withEntity);
  }

  // ---- receiving

  @Override
  public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
    Response received = response == null ? exchange() : response;
    ClassicHttpResponse earlier = interim.poll();
    if (earlier != null) {
      return earlier;
    }
    headTaken = true;
    return Messages.head(received);
  }

  @Override
  public void receiveResponseEntity(ClassicHttpResponse head) throws IOException {
    Response received = response;
    if (received == null || !headTaken) {
      throw new IllegalStateException("receive the head of a response before its entity");
    }
    contentTaken = true;
    head.setEntity(ResponseEntity.of(received, this));
  }

  /** Makes the Heddle call. */
  private Response exchange() throws IOException, HttpException {
    ClassicHttpRequest sent = request;
    if (sent == null) {
      throw new IllegalStateException("send a request before its response is received");
    }
    if (Method.CONNECT.isSame(sent.getMethod())) {
      return tunnel(sent);
    }
    HttpEntity entity = withEntity ? sent.getEntity() : null;
    EntityContent content = entity == null ? null : content(entity);
    Body body = content == null ? Body.empty() : content;
    Request whole =
        Messages.request(leased, sent, body, Messages.trailers(entity), this::addInterim);
    try {
      Response received = send(whole);
      response = received;
      endpoint.details().answered();
      return received;
    } catch (IllegalArgumentException e) {
      throw Messages.unsendable(leased, e);
    } catch (IOException e) {
      rethrowOwn(content);
      throw failure(e);
    }
  }

  /**
   * Returns the content of an entity. Entities other than those two may change an array after
   * writing it; both write the array with one call, in a final method.
   */
  static EntityContent content(HttpEntity entity) {
    boolean held = entity instanceof ByteArrayEntity || entity instanceof StringEntity;
    return new EntityContent(
        entity.isChunked() ? Body.UNKNOWN : entity.getContentLength(), held, entity::writeTo);
  }

  private Response send(Request whole) throws IOException {
    HttpClient client = leased.client();
    return leased.isTunnelled()
        ? leased.tunnel(context).send(scope, client, whole, this)
        : scope.send(client, whole, this);
  }

  /**
   * Only notes the CONNECT request. Heddle opens the tunnel with the first request that needs it.
   */
  private Response tunnel(ClassicHttpRequest connect) throws ProtocolException {
    if (!leased.isTunnelled()) {
      throw new ProtocolException("CONNECT " + connect.getPath() + " on a route without a tunnel: "
          + "connections of this adapter become tunnels where their route says so");
    }
    leased.tunnelAsked(connect);
    Response opened = Response.of(Status.OK);
    response = opened;
    return opened;
  }

  /** Returns the exception to throw when sending has failed. */
  private IOException failure(IOException e) throws ProtocolException {
    boolean malformed =
        e instanceof MalformedMessageException && !(e instanceof MessageTooLargeException);
    if (malformed) {
      throw new ProtocolException(String.valueOf(e.getMessage()), e);
    }
    return explain(e);
  }

  /** Rethrows what the entity has thrown, unchanged. */
  private void rethrowOwn(@Nullable EntityContent content) throws IOException {
    Throwable own = content == null || scope.isEnded() ? null : content.failure();
    switch (own) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(own);
    }
  }

  /** Returns the exception to throw when Heddle has thrown this one. */
  IOException explain(IOException e) {
    return scope.isEnded() ? CallScope.ended(e) : Failures.translate(e, leased);
  }

  private void addInterim(Status status, Headers headers) {
    interim.add(Messages.head(status, headers));
  }

  @Override
  public void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
    info = connection;
    endpoint.details().acquired(connection);
  }

  /** Called when the executor is done. Content that it did not take is discarded. */
  void executed() {
    if (!contentTaken) {
      giveUp();
    }
  }

  /** Ends the call if it is running. From any thread. */
  void giveUp() {
    scope.end();
  }

  // ---- properties

  @Override
  public boolean isConsistent() {
    return request == null || headTaken;
  }

  @Override
  public boolean isStale() {
    // Heddle notices at once when a server closes a connection, and does not use it.
    return false;
  }

  @Override
  public boolean isOpen() {
    return endpoint.isConnected();
  }

  @Override
  public void close() {
    close(CloseMode.GRACEFUL);
  }

  @Override
  public void close(CloseMode mode) {
    endpoint.close(mode);
  }

  @Override
  public Timeout getSocketTimeout() {
    return endpoint.socketTimeout();
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    endpoint.setSocketTimeout(timeout);
  }

  @Override
  public ProtocolVersion getProtocolVersion() {
    return HttpVersion.HTTP_1_1;
  }

  /** Null without TLS, and before the request has been sent. */
  @Override
  public @Nullable SSLSession getSSLSession() {
    ConnectionInfo known = info;
    return known == null ? null : known.tlsSession();
  }

  /** Null: the system chooses the local address. */
  @Override
  public @Nullable SocketAddress getLocalAddress() {
    return null;
  }

  /** Not resolved before the request has been sent. */
  @Override
  public SocketAddress getRemoteAddress() {
    return endpoint.details().getRemoteAddress();
  }

  @Override
  public EndpointDetails getEndpointDetails() {
    return endpoint.details();
  }

  @Override
  public String toString() {
    return endpoint + " " + getRemoteAddress();
  }
}
