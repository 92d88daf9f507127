package heddle.connection.http2;

import heddle.connection.ContentFields;
import heddle.connection.request.RequestBodyReader;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.duplex.DuplexContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request on the caller's thread: its head at once, its content as the peer's windows
 * allow. Stops when the rest is not needed: the response is complete (RFC 9113 §8.1), or the stream
 * has failed, which the exchange reports.
 *
 * <p>A peer may answer while it still reads, and read no further until its answer is read. So if
 * the rest of the content has to wait although the answer has begun, the caller gets the answer and
 * a new thread sends the rest. It sends all of it if the content is {@linkplain Body#isDuplex
 * duplex}.
 */
final class RequestSender {
  private static final int PIECE_BYTES = 64 * 1024;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Http2Connection connection;
  private final Request request;
  private final Http2Exchange exchange;

  /** The content, if it comes from a stream. */
  private @Nullable RequestBodyReader source;

  private byte[] piece = {};

  // What is to be sent next, and what follows the content, as far as it is known.
  private ByteBuffer payload = NOTHING;
  private Headers trailers = Headers.empty();

  RequestSender(Http2Connection connection, Request request, Http2Exchange exchange) {
    this.connection = connection;
    this.request = request;
    this.exchange = exchange;
  }

  /**
   * Sends the request, or as much of it as must be sent before the caller can wait for the answer.
   *
   * @throws ExchangeFailure if it was not sent, because the connection accepts no more
   * @throws IOException if the body cannot be read, or does not have the declared length
   */
  void send() throws IOException {
    Body body = request.body();
    if (exchange.protocol != null) {
      throw new HttpException(
          "a request with content cannot offer another protocol over HTTP/2 (RFC 8441 section 4)",
          exchange.owner.point(),
          null);
    }
    boolean waits = exchange.response.expectsContinue();
    if (waits) {
      open(body.length());
      flush();
      if (!exchange.awaitContinue()) {
        exchange.outputOver();
        return;
      }
    }
    if (body instanceof DuplexContent content) {
      if (!waits) {
        open(body.length());
        flush();
      }
      exchange.owner.sent(Sent.UNKNOWN);
      content.open(new StreamOutput(connection, exchange));
      return;
    }
    ByteBuffer inMemory = body.inMemory();
    if (inMemory == null) {
      source = RequestBodyReader.open(body, exchange.owner, connection.loop());
      exchange.reading = source;
    } else {
      trailers = trailers(connection, request, exchange);
    }
    boolean goesOn = false;
    try {
      if (!waits) {
        open(inMemory == null ? body.length() : inMemory.remaining());
      }
      if (inMemory != null) {
        payload = inMemory;
      } else if (!waits) {
        flush();
      }
      exchange.owner.sent(Sent.UNKNOWN); // an exception from the body reports this
      goesOn = body.isDuplex() || !sendContent(true);
    } finally {
      if (!goesOn) {
        close();
      }
    }
    if (goesOn) {
      Thread.ofVirtual().name("heddle-upload").start(this::sendOn);
    }
  }

  private void open(long length) throws IOException {
    connection.open(request, exchange, false, fields(request, exchange, length));
  }

  /** Sends a whole request that has no content; throws the same exceptions as {@link #send}. */
  static void sendWithoutContent(
      Http2Connection connection, Request request, Http2Exchange exchange) throws IOException {
    Headers trailers = trailers(connection, request, exchange);
    long length = ContentFields.isMadeForContent(request.method()) ? 0 : Body.UNKNOWN;
    Headers headers = fields(request, exchange, length);
    boolean others = connection.open(request, exchange, trailers.isEmpty(), headers);
    if (!trailers.isEmpty()) {
      connection.queueEnd(exchange, trailers);
    }
    connection.flush.run(others, exchange.owner.deadline());
    // The peer's turn began when the exchange did: writing a head takes almost no time.
    exchange.sent(exchange.response.heardAt());
  }

  private static Headers trailers(
      Http2Connection connection, Request request, Http2Exchange exchange) throws IOException {
    return RequestBodyReader.trailers(request.trailers(), exchange.owner, connection.loop());
  }

  /** The request's fields with its content's length and its trailers' names, if they are known. */
  private static Headers fields(Request request, Http2Exchange exchange, long length)
      throws HttpException {
    Headers headers;
    try {
      headers = ContentFields.announcing(request.headers(), request.trailers());
    } catch (IllegalArgumentException e) {
      throw ExchangeFailure.unsendable(e, exchange.owner);
    }
    return length < 0
        ? headers
        : headers.toBuilder()
            .set(HeaderName.CONTENT_LENGTH, Long.toString(length))
            .build();
  }

  private void flush() {
    connection.flush.run(false, exchange.owner.deadline());
  }

  // ---- content

  /**
   * Sends the rest of the content, and the end.
   *
   * @param leavesOnAnswer whether to return if the rest has to wait although there is an answer;
   *     false once the caller has that
   * @return true if sending is over; false if it has to wait although there is an answer
   */
  private boolean sendContent(boolean leavesOnAnswer) throws IOException {
    boolean ends = source == null && payload.hasRemaining() && trailers.isEmpty();
    do {
      while (payload.hasRemaining() && !exchange.isSendingOver()) {
        int taken = connection.queueContent(exchange, payload, ends);
        flush();
        if (taken > 0) {
          exchange.owner.contentSent();
        }
        if (taken == 0 && payload.hasRemaining()) {
          if (leavesOnAnswer && exchange.response.isAnswered()) {
            return false;
          }
          exchange.awaitWritable(leavesOnAnswer);
        }
      }
    } while (!exchange.isSendingOver() && nextPiece());
    boolean whole = ends && !payload.hasRemaining();
    if (!ends && !exchange.isSendingOver()) {
      whole = end();
    }
    if (whole) {
      exchange.sent(connection.now());
    }
    return true;
  }

  /** Reads what is to be sent next; false at the end of the content. */
  private boolean nextPiece() throws IOException {
    if (source == null) {
      return false;
    }
    if (piece.length == 0 || !connection.flush.isDone(exchange.lastRound)) {
      // Another thread may still be writing the last piece, which must not change until then.
      piece = new byte[PIECE_BYTES];
    }
    int count;
    try {
      count = source.read(piece);
    } catch (RequestBodyReader.AbortedException e) {
      return false; // Sending is over; waiting for the answer reports why.
    }
    payload = count < 0 ? NOTHING : ByteBuffer.wrap(piece, 0, count);
    return count >= 0;
  }

  /** Sends the trailers, or an end without any; false if sending was over before. */
  private boolean end() throws IOException {
    if (source != null && !RequestBodyReader.isNone(request.trailers())) {
      try {
        trailers = source.trailers(request.trailers());
      } catch (RequestBodyReader.AbortedException e) {
        return false; // Sending is over; waiting for the answer reports why.
      }
    }
    connection.queueEnd(exchange, trailers);
    flush();
    return true;
  }

  private void close() throws IOException {
    if (source != null) {
      source.close();
    }
  }

  // ---- while the caller has the answer

  private void sendOn() {
    exchange.sender = Thread.currentThread();
    try {
      try {
        sendContent(false);
      } finally {
        close();
      }
    } catch (IOException | RuntimeException e) {
      connection.sendingFailed(exchange, e);
    }
  }
}
