package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSession;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous exchange. Its thread gets the request from the handler, and passes the response
 * to the handler as it has room. Any thread may end it.
 */
final class AsyncExchange implements Runnable, ExchangeListener, CapacityChannel {
  private static final int PIECE_BYTES = 16 * 1024;

  /** Apache's own connections assume this much capacity of a consumer without asking. */
  private static final int UNASKED_BYTES = Http1Config.DEFAULT.getInitialWindowSize();

  private final Leased leased;
  private final ConnectionDetails details;
  private final AsyncClientExchangeHandler handler;
  private final HttpContext context;
  private final CallScope scope = new CallScope();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private long capacity = UNASKED_BYTES;
  private boolean over;

  // What the handler has sent, on the thread of the exchange.
  private @Nullable HttpRequest request;
  private @Nullable EntityDetails entity;

  private volatile @Nullable ProducedContent content;

  private volatile @Nullable ConnectionInfo info;
  private volatile ProtocolVersion version;

  /** Carries what a handler throws when it gets an informational response. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(Exception cause) {
      super("an informational response was refused", cause);
    }
  }

  AsyncExchange(
      Leased leased,
      ConnectionDetails details,
      AsyncClientExchangeHandler handler,
      HttpContext context) {
    this.leased = leased;
    this.details = details;
    this.handler = handler;
    this.context = context;
    version = leased.isHttp2Forced() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
  }

  /** Ends the exchange. From any thread. */
  void end() {
    lock.lock();
    try {
      over = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    scope.end();
  }

  /** The version of the response; before it, the forced version, or else HTTP/1.1. */
  ProtocolVersion version() {
    return version;
  }

  @Nullable
  SSLSession tlsSession() {
    ConnectionInfo known = info;
    return known == null ? null : known.tlsSession();
  }

  @Override
  public void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
    info = connection;
    details.acquired(connection);
  }

  @Override
  public void requestSent(AttemptInfo attempt, Duration took) {
    ProducedContent sent = content;
    if (sent != null) {
      sent.sent();
    }
  }

  /** Over HTTP/2 content may wait in the connection's queue after the request was sent. */
  private boolean isWrittenAtOnce() {
    ConnectionInfo known = info;
    return known != null && known.version() == heddle.http.HttpVersion.HTTP_1_1;
  }

  @Override
  public void run() {
    try {
      exchange();
    } catch (IOException | HttpException | RuntimeException e) {
      handler.failed(e);
    } catch (Error e) {
      handler.failed(new IllegalStateException("the exchange has broken down: " + e, e));
      throw e;
    } finally {
      handler.releaseResources();
    }
  }

  private void exchange() throws IOException, HttpException {
    if (scope.isEnded()) {
      // Ended while it waited for another exchange of its endpoint.
      throw ended(null);
    }
    context.setProtocolVersion(version);
    HttpCoreContext.castOrCreate(context).setEndpointDetails(details);
    handler.produceRequest(
        (head, announced, used) -> {
          request = head;
          entity = announced;
        },
        context);
    HttpRequest head = request;
    if (head == null) {
      throw new ProtocolException("the exchange handler has produced no request");
    }
    if (Method.CONNECT.isSame(head.getMethod())) {
      tunnel(head);
      return;
    }
    leased.authenticate(HeddleEndpoint.connectionScheme(head, context));
    EntityDetails announced = entity;
    ProducedContent produced =
        announced == null ? null : new ProducedContent(handler, announced, this::isWrittenAtOnce);
    content = produced;
    Response response = send(head, produced);
    details.answered();
    version = Messages.version(response);
    context.setProtocolVersion(version);
    if (leased.origin().isSecure()) {
      HttpCoreContext.castOrCreate(context).setSSLSession(tlsSession());
    }
    try (response) {
      consume(head, response);
      if (produced != null && response.status().code() < 400) {
        produced.finish();
      }
    }
  }

  /**
   * Only notes the CONNECT request. Heddle opens the tunnel with the first request that needs it.
   */
  private void tunnel(HttpRequest connect) throws IOException, HttpException {
    if (!leased.isTunnelled()) {
      throw new ProtocolException("CONNECT " + connect.getPath() + " on a route without a tunnel: "
          + "connections of this adapter become tunnels where their route says so");
    }
    leased.tunnelAsked(connect);
    handler.consumeResponse(Messages.head(Response.of(Status.OK)), null, context);
  }

  private Response send(HttpRequest head, @Nullable ProducedContent content)
      throws IOException, HttpException {
    Body body = content == null ? Body.empty() : content;
    Trailers trailers = content == null || !content.mayHaveTrailers()
        ? Trailers.none()
        : Trailers.of(content::trailers);
    Request whole = Messages.request(leased, head, body, trailers, this::consumeInformation);
    try {
      HttpClient client = leased.client();
      return leased.isTunnelled()
          ? leased.tunnel(context).send(scope, client, whole, this)
          : scope.send(client, whole, this);
    } catch (Refused e) {
      throw thrown(e.getCause());
    } catch (IllegalArgumentException e) {
      throw Messages.unsendable(leased, e);
    } catch (IOException e) {
      Exception own = content == null || scope.isEnded() ? null : content.failure();
      switch (own) {
        case IOException thrown -> throw thrown;
        case RuntimeException thrown -> throw thrown;
        case null, default -> throw explained(e);
      }
    }
  }

  /** Rethrows what the handler has thrown, unchanged. */
  private static RuntimeException thrown(@Nullable Throwable own)
      throws IOException, HttpException {
    return switch (own) {
      case IOException e -> throw e;
      case HttpException e -> throw e;
      case RuntimeException e -> e;
      case null, default -> new IllegalStateException(own);
    };
  }

  private IOException explained(IOException e) throws ProtocolException {
    boolean malformed =
        e instanceof MalformedMessageException && !(e instanceof MessageTooLargeException);
    if (malformed && !scope.isEnded()) {
      throw new ProtocolException(String.valueOf(e.getMessage()), e);
    }
    return explain(e);
  }

  private IOException explain(IOException e) {
    return scope.isEnded() ? ended(e) : Failures.translateAsynchronous(e, leased);
  }

  /**
   * Apache's exception for a connection closed by the client, after which requests are not
   * repeated.
   */
  private static IOException ended(@Nullable IOException because) {
    return new ConnectionClosedException("Connection closed", because);
  }

  private void consumeInformation(Status status, Headers headers) {
    if (status.equals(Status.CONTINUE)) {
      return;
    }
    try {
      handler.consumeInformation(Messages.head(status, headers), context);
    } catch (IOException | HttpException | RuntimeException e) {
      throw new Refused(e);
    }
  }

  // ---- the response

  private void consume(HttpRequest head, Response response) throws IOException, HttpException {
    HttpResponse received = Messages.head(response);
    if (!MessageSupport.canResponseHaveBody(head.getMethod(), received)) {
      response.close();
      handler.consumeResponse(received, null, context);
      return;
    }
    handler.consumeResponse(received, new ResponseFields(response), context);
    InputStream content = response.body().stream();
    byte[] piece = new byte[pieceBytes(response.body().length())];
    for (int count = read(content, piece); count >= 0; count = read(content, piece)) {
      hand(piece, count);
    }
    List<Header> trailers = Messages.fields(response.trailers().get());
    handler.streamEnd(trailers.isEmpty() ? null : trailers);
  }

  /** The size of the read buffer: not more than the known length. */
  private static int pieceBytes(long length) {
    return length < 0 ? PIECE_BYTES : Math.clamp(length, 1, PIECE_BYTES);
  }

  private int read(InputStream content, byte[] piece) throws IOException {
    try {
      return content.read(piece, 0, piece.length);
    } catch (IOException e) {
      throw explain(e);
    }
  }

  /** Waits for capacity only if there is content to hand over. */
  private void hand(byte[] piece, int count) throws IOException {
    int at = 0;
    while (at < count) {
      int size = Math.min(awaitCapacity(), count - at);
      used(size);
      handler.consume(ByteBuffer.wrap(piece, at, size).slice());
      at += size;
    }
  }

  /** Waits until the handler has capacity, and asks for it if it is used up. */
  private int awaitCapacity() throws IOException {
    if (!hasCapacity()) {
      handler.updateCapacity(this);
    }
    lock.lock();
    try {
      while (capacity <= 0 && !over) {
        changed.await();
      }
      if (over) {
        throw ended(null);
      }
      return (int) Math.min(capacity, Integer.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a consumer had no room");
    } finally {
      lock.unlock();
    }
  }

  private boolean hasCapacity() {
    lock.lock();
    try {
      return capacity > 0;
    } finally {
      lock.unlock();
    }
  }

  private void used(int count) {
    lock.lock();
    try {
      capacity -= count;
    } finally {
      lock.unlock();
    }
  }

  /** Adds capacity of the handler. From any thread. */
  @Override
  public void update(int increment) {
    lock.lock();
    try {
      capacity += increment;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
