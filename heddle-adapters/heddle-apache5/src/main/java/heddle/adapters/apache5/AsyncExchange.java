package heddle.adapters.apache5;

import heddle.client.spi.ConnectionInfo;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
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
final class AsyncExchange extends Exchange implements Runnable, CapacityChannel {
  private static final int PIECE_BYTES = 16 * 1024;

  /** Apache's own connections assume this much capacity of a consumer without asking. */
  private static final int UNASKED_BYTES = Http1Config.DEFAULT.getInitialWindowSize();

  private final AsyncClientExchangeHandler handler;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private long capacity = UNASKED_BYTES;

  // What the handler has sent, on the thread of the exchange.
  private @Nullable HttpRequest request;
  private @Nullable EntityDetails entity;

  private volatile ProtocolVersion version;

  /** Carries what a handler throws when it gets an informational response. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(Exception cause) {
      super("an informational response was refused", cause);
    }
  }

  AsyncExchange(Leased leased, AsyncClientExchangeHandler handler, HttpContext context) {
    super(leased, context);
    this.handler = handler;
    version = leased.isHttp2Forced() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
  }

  /** Ends the exchange. From any thread. */
  @Override
  void end() {
    super.end();
    update(0);
  }

  /** The version of the response; before it, the forced version, or else HTTP/1.1. */
  ProtocolVersion version() {
    return version;
  }

  /** Over HTTP/2 content may wait in the connection's queue after the request was sent. */
  private boolean isWrittenAtOnce() {
    ConnectionInfo known = info();
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
    if (isEnded()) {
      // Ended while it waited for another exchange of its endpoint.
      throw closed(null);
    }
    context.setProtocolVersion(version);
    HttpCoreContext.castOrCreate(context).setEndpointDetails(leased.details());
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
    EntityDetails announced = entity;
    ProducedContent produced =
        announced == null ? null : new ProducedContent(handler, announced, this::isWrittenAtOnce);
    leased.authenticate(connectionScheme(head, context));
    Response response = send(head, produced);
    version = Messages.version(response);
    context.setProtocolVersion(version);
    if (leased.origin().isSecure()) {
      HttpCoreContext.castOrCreate(context).setSSLSession(getSSLSession());
    }
    try (response) {
      consume(head, response);
      if (produced != null && response.status().code() < 400) {
        produced.finish();
      }
    }
  }

  private Response send(HttpRequest head, @Nullable ProducedContent content)
      throws IOException, HttpException {
    Trailers trailers = content == null || !content.mayHaveTrailers()
        ? Trailers.none()
        : Trailers.of(content::trailers);
    try {
      return send(
          head,
          content,
          trailers,
          this::consumeInformation,
          () -> content == null ? null : content.failure());
    } catch (Refused e) {
      throw thrown(e.getCause());
    } finally {
      if (content != null) {
        content.sent();
      }
    }
  }

  @Override
  IOException translated(IOException e) {
    return Failures.translateAsynchronous(
        e, leased.host(), leased.settings(), isConnectionReused());
  }

  /** After this exception requests are not repeated. */
  @Override
  IOException closed(@Nullable IOException because) {
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
    handler.consumeResponse(received, new ResponseEntity(response), context);
    ByteBuffer held = response.body().inMemory();
    if (held != null) {
      byte[] whole = new byte[held.remaining()];
      held.get(whole);
      hand(whole, whole.length);
    } else {
      hand(response.body());
    }
    List<Header> trailers = Messages.fields(response.trailers().get());
    handler.streamEnd(trailers.isEmpty() ? null : trailers);
  }

  private void hand(Body body) throws IOException {
    InputStream content = body.stream();
    byte[] piece = new byte[pieceBytes(body.length())];
    for (int count = read(content, piece); count >= 0; count = read(content, piece)) {
      hand(piece, count);
    }
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
    for (int at = 0; at < count; ) {
      int size = takeCapacity(count - at, false);
      if (size == 0) {
        handler.updateCapacity(this);
        size = takeCapacity(count - at, true);
      }
      handler.consume(ByteBuffer.wrap(piece, at, size).slice());
      at += size;
    }
  }

  /** Takes capacity of the handler, at most this much; waits for it if asked to. */
  private int takeCapacity(int most, boolean waits) throws IOException {
    lock.lock();
    try {
      while (waits && capacity <= 0 && !isEnded()) {
        changed.await();
      }
      if (isEnded()) {
        throw closed(null);
      }
      int taken = Math.clamp(capacity, 0, most);
      capacity -= taken;
      return taken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a consumer had no room");
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
