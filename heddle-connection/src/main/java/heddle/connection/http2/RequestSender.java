package heddle.connection.http2;

import heddle.connection.ContentFields;
import heddle.connection.RequestBodyReader;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Trailers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request that has content on the caller's thread: its head at once, its content as the
 * peer's windows allow. Stops where the rest would be sent for nothing: the response was complete
 * before (RFC 9113 §8.1), or the stream has failed, which the exchange tells.
 *
 * <p>A peer may answer while it still reads, and read no further until its answer is read. So where
 * the rest of the content has to wait although the answer has begun, the caller gets the answer and
 * a thread of its own goes on.
 */
final class RequestSender {
  private static final int PIECE_BYTES = 64 * 1024;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Http2Connection connection;
  private final ClientStreams streams;
  private final Request request;
  private final Http2Exchange exchange;

  /** The content, when it comes from a stream. */
  private @Nullable RequestBodyReader source;

  private byte[] piece = {};
  private long given;

  /** What is to be sent next. */
  private ByteBuffer payload = NOTHING;

  RequestSender(
      Http2Connection connection, ClientStreams streams, Request request, Http2Exchange exchange) {
    this.connection = connection;
    this.streams = streams;
    this.request = request;
    this.exchange = exchange;
  }

  /**
   * Sends the request, or as much of it as must be before its answer can be waited for.
   *
   * @throws ExchangeFailure when it was not sent, because the connection takes no more
   * @throws IOException when the body cannot be read, or is not as long as it says
   */
  void send() throws IOException {
    Body body = request.body();
    ByteBuffer inMemory = body.inMemory();
    if (inMemory == null) {
      source = RequestBodyReader.open(body, exchange.owner, streams.channel.loop());
      exchange.reads(source);
    }
    boolean goesOn = false;
    try {
      long length = inMemory == null ? body.length() : inMemory.remaining();
      connection.open(request, exchange, false, withLength(request, length));
      if (inMemory == null) {
        flush();
      } else {
        payload = inMemory;
      }
      goesOn = !sendContent(true);
    } finally {
      if (!goesOn) {
        close();
      }
    }
    if (goesOn) {
      Thread.ofVirtual().name("heddle-upload").start(this::sendOn);
    }
  }

  /** Sends a request that has no content, whole; what is in the way of that is told as by send. */
  static void sendWithoutContent(
      Http2Connection connection, ClientStreams streams, Request request, Http2Exchange exchange)
      throws IOException {
    Headers trailers = request.trailers().get();
    Headers headers = ContentFields.isMadeForContent(request.method())
        ? withLength(request, 0)
        : request.headers();
    boolean others = connection.open(request, exchange, trailers.isEmpty(), headers);
    if (!trailers.isEmpty()) {
      queueTrailers(streams, exchange, trailers);
    }
    streams.flush.run(others, exchange.owner.deadline());
    // The peer's turn began when the exchange did: writing a head takes no time to speak of.
    exchange.sent(exchange.heardAt());
  }

  /**
   * Queues the end of a request that has trailers.
   *
   * @throws HttpException when they cannot be sent
   */
  private static void queueTrailers(ClientStreams streams, Http2Exchange exchange, Headers trailers)
      throws HttpException {
    streams.lock.lock();
    try {
      exchange.lastRound = streams.flush.nextRound();
      streams.session.trailers(exchange.opened(), trailers);
    } catch (IllegalArgumentException e) {
      throw ExchangeFailure.unsendable(e, exchange.owner);
    } finally {
      streams.lock.unlock();
    }
  }

  /** The request's fields with its content's length, if that is known. */
  private static Headers withLength(Request request, long length) {
    return length < 0
        ? request.headers()
        : request.headers().toBuilder()
            .set(HeaderName.CONTENT_LENGTH, Long.toString(length))
            .build();
  }

  private void flush() {
    streams.flush.run(false, exchange.owner.deadline());
  }

  // ---- content

  /**
   * Sends what is left of the content, and the end.
   *
   * @param leavesOnAnswer whether to return when the rest has to wait although there is an answer
   * @return whether nothing is left to be sent, or nothing more is to be
   */
  private boolean sendContent(boolean leavesOnAnswer) throws IOException {
    boolean ends =
        source == null && payload.hasRemaining() && request.trailers() == Trailers.none();
    do {
      while (payload.hasRemaining() && !exchange.isSendingOver()) {
        int taken = offer(ends);
        flush();
        if (taken == 0 && payload.hasRemaining()) {
          if (leavesOnAnswer && exchange.isAnswered()) {
            return false;
          }
          exchange.awaitWritable(leavesOnAnswer);
        }
      }
    } while (!exchange.isSendingOver() && nextPiece());
    boolean whole = ends && !payload.hasRemaining();
    if (!ends && !exchange.isSendingOver()) {
      end();
      whole = true;
    }
    if (whole) {
      exchange.sent(streams.now());
    }
    return true;
  }

  /** How much the session takes of the payload now. */
  private int offer(boolean last) {
    streams.lock.lock();
    try {
      exchange.expectWritable();
      exchange.lastRound = streams.flush.nextRound();
      return streams.session.data(exchange.opened(), payload, last);
    } finally {
      streams.lock.unlock();
    }
  }

  /** Reads what is to be sent next; false at the end of the content. */
  private boolean nextPiece() throws IOException {
    RequestBodyReader content = source;
    if (content == null) {
      return false;
    }
    if (piece.length == 0 || !streams.flush.isDone(exchange.lastRound)) {
      // Where somebody else still writes the last piece, it must not change before that.
      piece = new byte[PIECE_BYTES];
    }
    int count;
    try {
      count = content.read(piece);
    } catch (RequestBodyReader.AbortedException e) {
      return false; // Sending is over: who waits for the answer hears why.
    }
    long length = request.body().length();
    given += Math.max(0, count);
    if (length >= 0 && (count < 0 ? given < length : given > length)) {
      throw new HttpException(
          "the request's body is not as long as it says: " + given + " bytes instead of " + length,
          exchange.owner.point(),
          null);
    }
    payload = count < 0 ? NOTHING : ByteBuffer.wrap(piece, 0, count);
    return count >= 0;
  }

  private void end() throws IOException {
    Headers trailers = request.trailers().get();
    if (trailers.isEmpty()) {
      payload = NOTHING.duplicate();
      offer(true);
    } else {
      queueTrailers(streams, exchange, trailers);
    }
    flush();
  }

  private void close() throws IOException {
    RequestBodyReader content = source;
    if (content != null) {
      content.close();
    }
  }

  // ---- while the caller has the answer

  private void sendOn() {
    exchange.sendOn();
    try {
      try {
        sendContent(false);
      } finally {
        close();
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void fail(Exception cause) {
    streams.cancel(exchange);
    streams.channel.loop().execute(() -> streams.fail(exchange, cause));
  }
}
