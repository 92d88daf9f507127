package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.connection.RequestContent;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Trailers;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends one request on the caller's thread: its head at once, its content as the peer's windows
 * allow. Stops where the rest would be sent for nothing: the response was complete before (RFC 9113
 * §8.1), or the stream has failed, which the exchange tells.
 */
final class RequestSender {
  private static final int PIECE_BYTES = 64 * 1024;

  private final Http2Connection connection;
  private final Http2Session session;
  private final ReentrantLock lock;
  private final Flush flush;
  private final EventLoop loop;
  private final Request request;
  private final Http2Exchange exchange;

  RequestSender(
      Http2Connection connection,
      Http2Session session,
      ReentrantLock lock,
      Flush flush,
      EventLoop loop,
      Request request,
      Http2Exchange exchange) {
    this.connection = connection;
    this.session = session;
    this.lock = lock;
    this.flush = flush;
    this.loop = loop;
    this.request = request;
    this.exchange = exchange;
  }

  /**
   * Sends the request.
   *
   * @throws ExchangeFailure when it was not sent, because the connection takes no more
   * @throws IOException when the body cannot be read, or is not as long as it says
   */
  void send() throws IOException {
    Body body = request.body();
    if (body.length() == 0) {
      sendWithoutContent();
      return;
    }
    ByteBuffer inMemory = body.inMemory();
    if (inMemory != null) {
      open(false, withLength(request.headers(), inMemory.remaining()));
      boolean ends = request.trailers() == Trailers.none();
      write(inMemory, ends);
      if (!ends) {
        end();
      }
    } else {
      stream(body);
    }
  }

  private void sendWithoutContent() throws IOException {
    Headers trailers = request.trailers().get();
    Method method = request.method();
    // RFC 9110 §8.6: a method that is made for content announces also that there is none.
    boolean expectsContent =
        method.equals(Method.POST) || method.equals(Method.PUT) || method.equals(Method.PATCH);
    Headers headers = expectsContent ? withLength(request.headers(), 0) : request.headers();
    boolean others = open(trailers.isEmpty(), headers);
    if (!trailers.isEmpty()) {
      trailers(trailers);
    }
    flush.run(others, exchange.owner.deadline());
  }

  private static Headers withLength(Headers headers, long length) {
    return headers.toBuilder()
        .set(HeaderName.CONTENT_LENGTH, Long.toString(length))
        .build();
  }

  /** Queues the head; whether other exchanges are under way. */
  private boolean open(boolean endStream, Headers headers) throws IOException {
    lock.lock();
    try {
      connection.checkTakesRequests();
      Http2Stream opened = session.request(
          request.method(),
          request.origin().scheme(),
          request.origin().hostHeader(),
          request.target(),
          headers,
          endStream,
          exchange);
      exchange.stream = opened;
      exchange.firstRound = flush.nextRound();
      exchange.lastRound = exchange.firstRound;
      return connection.begin(exchange);
    } catch (IllegalArgumentException e) {
      throw new HttpException(
          "the request cannot be sent over HTTP/2: " + e.getMessage(), exchange.owner.point(), e);
    } finally {
      lock.unlock();
    }
  }

  /** Sends content that was in memory, or as much as there is sense in. */
  private void write(ByteBuffer payload, boolean last) throws IOException {
    while (payload.hasRemaining() && !exchange.isSendingOver()) {
      if (offer(payload, last) > 0) {
        flush.run(false, exchange.owner.deadline());
      } else if (payload.hasRemaining()) {
        flush.run(false, exchange.owner.deadline());
        exchange.awaitWritable();
      }
    }
  }

  /** What the session takes of the payload now. */
  private int offer(ByteBuffer payload, boolean last) {
    lock.lock();
    try {
      exchange.expectWritable();
      exchange.lastRound = flush.nextRound();
      return session.data(opened(), payload, last);
    } finally {
      lock.unlock();
    }
  }

  private Http2Stream opened() {
    Http2Stream opened = exchange.stream;
    if (opened == null) {
      throw new IllegalStateException("the stream is not open");
    }
    return opened;
  }

  private void end() {
    if (exchange.isSendingOver()) {
      return;
    }
    Headers trailers = request.trailers().get();
    if (trailers.isEmpty()) {
      offer(ByteBuffer.allocate(0), true);
    } else {
      trailers(trailers);
    }
    flush.run(false, exchange.owner.deadline());
  }

  private void trailers(Headers trailers) {
    lock.lock();
    try {
      exchange.lastRound = flush.nextRound();
      session.trailers(opened(), trailers);
    } finally {
      lock.unlock();
    }
  }

  // ---- content from a stream

  private void stream(Body body) throws IOException {
    long length = body.length();
    try (RequestContent source = RequestContent.open(body, exchange.owner, loop)) {
      open(false, length < 0 ? request.headers() : withLength(request.headers(), length));
      flush.run(false, exchange.owner.deadline());
      long given = 0;
      byte[] piece = new byte[PIECE_BYTES];
      int count = source.read(piece);
      while (count >= 0 && !exchange.isSendingOver()) {
        given += count;
        checkLength(length >= 0 && given > length, given, length);
        write(ByteBuffer.wrap(piece, 0, count), false);
        if (!flush.isDone(exchange.lastRound)) {
          // Somebody else still writes the piece, which must not change before that.
          piece = new byte[PIECE_BYTES];
        }
        count = source.read(piece);
      }
      checkLength(count < 0 && length >= 0 && given < length, given, length);
    }
    end();
  }

  private void checkLength(boolean wrong, long given, long length) throws HttpException {
    if (wrong) {
      throw new HttpException(
          "the request's body is not as long as it says: " + given + " bytes instead of " + length,
          exchange.owner.point(),
          null);
    }
  }
}
