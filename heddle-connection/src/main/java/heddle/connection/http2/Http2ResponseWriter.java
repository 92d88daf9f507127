package heddle.connection.http2;

import heddle.codec.HeadTooLargeException;
import heddle.connection.ContentFields;
import heddle.connection.Responding;
import heddle.connection.ResponseFailedException;
import heddle.connection.ResponseFields;
import heddle.connection.ResponseOutput;
import heddle.connection.StreamedContent;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.PeerLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response: queues it under the ordering lock, and competes to flush what is queued.
 * Created and used by the answering thread only.
 */
final class Http2ResponseWriter implements ResponseOutput.Sink {
  /** Longer content in memory is queued in slices of this size. */
  private static final int SLICE_BYTES = 256 * 1024;

  private static final PeerLog PEERS = PeerLog.of(Http2ResponseWriter.class);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Http2ServerConnection connection;
  private final ServerOutput output;
  private final Http2ServerExchange exchange;
  private final Response response;
  private final boolean refusing;
  private final Body body;
  private final Trailers trailers;

  // Of content that is written piece by piece.
  private @Nullable Headers unsentFields;
  private boolean ended;

  Http2ResponseWriter(
      Http2ServerConnection connection, Http2ServerExchange exchange, Response response) {
    this.connection = connection;
    this.output = connection.output;
    this.exchange = exchange;
    // A handler that does not know of extended CONNECT answers it like a GET. The peer would take
    // success for the other protocol (RFC 8441 §5), so the answer is that there is none.
    this.refusing = exchange.isTunnel() && response.status().isSuccess();
    this.response = refusing ? Response.of(Status.NOT_IMPLEMENTED) : response;
    this.body = this.response.body();
    this.trailers = Responding.trailers(this.response, exchange.receivedHeaders());
  }

  /**
   * Writes the response. Returns when it is written, or when another thread is writing it.
   *
   * @throws ResponseFailedException if the response cannot be sent as it is
   * @throws IOException if the stream has ended, or the peer opens no window for it
   */
  void write() throws ResponseFailedException, IOException {
    try {
      writeResponse();
    } catch (ResponseFailedException e) {
      if (exchange.isCommitted() || !(e.getCause() instanceof HeadTooLargeException)) {
        throw e;
      }
      // The client's fault, since its limit may be arbitrarily small: it gets an answer without
      // fields, which always fits, and not a reset, which it could provoke again and again.
      PEERS.log(() -> exchange + " is answered 500: " + e.getMessage(), null);
      queueHead(Status.INTERNAL_SERVER_ERROR, Headers.empty(), NOTHING, true);
      output.flush();
    }
  }

  private void writeResponse() throws ResponseFailedException, IOException {
    Status status = response.status();
    Responding.checkFinal(status);
    boolean mayCarryContent = Responding.mayCarryContent(response, exchange.method());
    if (mayCarryContent && body.isWritten()) {
      Responding.write(response, exchange.method(), this);
      return;
    }
    Headers fields = fields(announcedLength(status));
    ByteBuffer memory = mayCarryContent ? body.inMemory() : NOTHING;
    if (memory != null) {
      writeMemory(status, fields, memory);
    } else {
      try (StreamedContent content = new StreamedContent(body, connection.memory)) {
        writeStream(status, fields, content);
      }
    }
  }

  // Content that is written piece by piece.

  @Override
  public void sendWhole(Body content) throws ResponseFailedException, IOException {
    Response whole = refusing ? response : response.withBody(content);
    new Http2ResponseWriter(connection, exchange, whole).write();
    exchange.finish();
  }

  @Override
  public void begin() throws ResponseFailedException {
    Responding.checkFinal(response.status());
    unsentFields = fields(ResponseFields.NO_LENGTH);
  }

  @Override
  public void send(ByteBuffer content, boolean last) throws IOException {
    if (ended) {
      return; // the response has no content
    }
    boolean without = refusing || Responding.isWithoutContent(response.status(), exchange.method());
    boolean whole = without || (last && !Responding.mayHaveTrailers(trailers));
    ByteBuffer kept = without
        ? NOTHING
        : ByteBuffer.allocate(content.remaining()).put(content).flip();
    Headers fields = unsentFields;
    try {
      if (fields != null) {
        unsentFields = null;
        queueHead(response.status(), fields, kept, whole);
      }
      queue(kept, whole);
      output.flush();
    } catch (ResponseFailedException e) {
      throw new IOException(e.getMessage(), e);
    }
    ended = whole;
  }

  @Override
  public void end() throws ResponseFailedException, IOException {
    if (!ended) {
      writeEnd();
    }
    exchange.finish();
  }

  @Override
  public void cut() {
    if (exchange.isCommitted()) {
      exchange.abandon();
    }
  }

  private Headers fields(long length) throws ResponseFailedException {
    try {
      return ResponseFields.of(
          ContentFields.announcing(response.headers(), trailers),
          length,
          connection.loop().clock());
    } catch (IllegalArgumentException e) {
      throw failed("sent", e);
    }
  }

  private long announcedLength(Status status) {
    long length = body.length();
    if (status.equals(Status.NO_CONTENT)) {
      return ResponseFields.NO_LENGTH; // RFC 9110 §8.6: not in a 204
    }
    boolean withoutContent =
        exchange.method().equals(Method.HEAD) || status.equals(Status.NOT_MODIFIED);
    // Without a body the handler may still know the length of the body of a GET.
    return withoutContent && length == 0 ? ResponseFields.NO_LENGTH : length;
  }

  private void writeMemory(Status status, Headers fields, ByteBuffer memory)
      throws ResponseFailedException, IOException {
    boolean whole = !Responding.mayHaveTrailers(trailers);
    int end = memory.limit();
    ByteBuffer slice = memory.duplicate();
    slice.limit(Math.min(end, slice.position() + SLICE_BYTES));
    queueHead(status, fields, slice, whole && slice.limit() == end);
    queue(slice, whole && slice.limit() == end);
    while (slice.limit() < end) {
      slice.limit(Math.min(end, slice.position() + SLICE_BYTES));
      queue(slice, whole && slice.limit() == end);
    }
    if (whole) {
      output.flush();
    } else {
      writeEnd();
    }
  }

  private void writeStream(Status status, Headers fields, StreamedContent content)
      throws ResponseFailedException, IOException {
    // A body that reads the request's body makes the client send it, so it is read before the head
    // is written; so is one with a piece that can be written together with the head.
    boolean ahead = output.owesContinue(exchange.content) || content.isReady();
    @Nullable ByteBuffer piece = ahead ? content.nextToKeep() : null;
    if (piece == null) {
      queueHead(status, fields, NOTHING, false);
      output.flush();
      piece = content.nextToKeep();
    } else {
      queueHead(status, fields, piece, isLast(content));
    }
    @Nullable ByteBuffer unwritten = null;
    long unwrittenRound = 0;
    while (piece != null) {
      boolean last = isLast(content);
      queue(piece, last);
      output.flush();
      if (last) {
        return;
      }
      if (exchange.isCut()) {
        throw Http2ServerExchange.gone();
      }
      if (output.flush.isDone(exchange.lastRound)) {
        content.reuse(piece);
        unwritten = null;
      } else {
        // Another thread is still writing this piece, but has usually written the previous one.
        if (unwritten != null && output.flush.isDone(unwrittenRound)) {
          content.reuse(unwritten);
        }
        unwritten = content.isLarge() ? piece : null;
        unwrittenRound = exchange.lastRound;
      }
      piece = content.nextToKeep();
    }
    writeEnd();
  }

  private boolean isLast(StreamedContent content) {
    return content.isLastKnown() && !Responding.mayHaveTrailers(trailers);
  }

  /** Queues the head, and as much of the content as there is room for. */
  private void queueHead(Status status, Headers fields, ByteBuffer content, boolean last)
      throws ResponseFailedException, IOException {
    if (last) {
      exchange.ending();
    }
    try {
      if (!output.queueHead(exchange, status, fields, content, last)) {
        throw Http2ServerExchange.gone();
      }
    } catch (IllegalArgumentException e) {
      throw failed("sent", e);
    }
  }

  /** Queues the rest of the content as the peer opens its windows. */
  private void queue(ByteBuffer content, boolean last) throws IOException {
    if (content.hasRemaining()) {
      if (last) {
        exchange.ending();
      }
      output.sendContent(exchange, content, last);
    }
  }

  /** The trailers, or an end without any. */
  private void writeEnd() throws ResponseFailedException, IOException {
    Headers fields;
    try {
      fields = Responding.mayHaveTrailers(trailers) ? trailers.get() : Headers.empty();
    } catch (IllegalStateException e) {
      throw failed("ended", e);
    }
    exchange.ending();
    try {
      if (!queueEnd(fields)) {
        throw Http2ServerExchange.gone();
      }
    } catch (IllegalArgumentException e) {
      throw failed("ended", e);
    }
    output.flush();
  }

  /** Trailers that the client does not accept are omitted, RFC 9110 §6.5. */
  private boolean queueEnd(Headers fields) {
    try {
      return output.queueEnd(exchange, fields);
    } catch (HeadTooLargeException e) {
      PEERS.log(() -> "the trailers of " + exchange + " are left out: " + e.getMessage(), null);
      return output.queueEnd(exchange, Headers.empty());
    }
  }

  private static ResponseFailedException failed(String what, RuntimeException cause) {
    return new ResponseFailedException(
        "the response cannot be " + what + ": " + cause.getMessage(), cause);
  }
}
