package heddle.adapters.apache5;

import heddle.adapters.support.EntityContent;
import heddle.http.Body;
import heddle.http.Response;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpVersion;
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
final class HeddleConnection extends Exchange implements HttpClientConnection {
  private final HeddleEndpoint endpoint;
  /** Usually empty. */
  private final Queue<ClassicHttpResponse> interim = new ArrayDeque<>(1);

  private @Nullable ClassicHttpRequest request;
  private boolean withEntity;
  private @Nullable Response response;
  private boolean headTaken;
  private boolean contentTaken;

  HeddleConnection(HeddleEndpoint endpoint, HttpContext context) {
    super(endpoint.leased(), context);
    this.endpoint = endpoint;
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
    HttpEntity entity = withEntity ? sent.getEntity() : null;
    EntityContent content = entity == null ? null : content(entity);
    Response received = send(
        sent,
        content,
        Messages.trailers(entity),
        (status, headers) -> interim.add(Messages.head(status, headers)),
        () -> content == null ? null : content.failure());
    response = received;
    return received;
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

  @Override
  IOException closed(@Nullable IOException because) {
    return Failures.closed(because);
  }

  @Override
  IOException translated(IOException e) {
    return Failures.translate(e, leased.host(), leased.settings());
  }

  /** Called when the executor is done. Content that it did not take is discarded. */
  void executed() {
    if (!contentTaken) {
      end();
    }
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

  /** Null: the system chooses the local address. */
  @Override
  public @Nullable SocketAddress getLocalAddress() {
    return null;
  }

  /** Not resolved before the request has been sent. */
  @Override
  public SocketAddress getRemoteAddress() {
    return leased.details().getRemoteAddress();
  }

  @Override
  public EndpointDetails getEndpointDetails() {
    return leased.details();
  }

  @Override
  public String toString() {
    return endpoint + " " + getRemoteAddress();
  }
}
