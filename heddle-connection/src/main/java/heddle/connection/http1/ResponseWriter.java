package heddle.connection.http1;

import heddle.codec.http1.Http1Session;
import heddle.connection.ContentFields;
import heddle.connection.Responding;
import heddle.connection.ResponseFailedException;
import heddle.connection.ResponseFields;
import heddle.connection.ResponseOutput;
import heddle.connection.StreamedContent;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.io.FileInput;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response: head and body in one gathering write when the body is in memory, otherwise
 * one piece of its stream at a time. Used by the answering thread only.
 */
final class ResponseWriter implements ResponseOutput.Sink {
  /** Longer bodies in memory are written in slices of this size. */
  private static final int SLICE_BYTES = 256 * 1024;

  /** Shorter files are read, so that they are written together with the head. */
  private static final int SENT_FILE_BYTES = 64 * 1024;

  private static final ByteBuffer[] NOTHING = {};

  private final Http1ServerConnection connection;
  private final Http1ServerExchange exchange;
  private final Response response;
  private final Trailers trailers;
  private final Http1Session session;

  /** The head until it is written, together with the first content. */
  private @Nullable ByteBuffer unsentHead;

  ResponseWriter(
      Http1ServerConnection connection, Http1ServerExchange exchange, Response response) {
    this.connection = connection;
    this.exchange = exchange;
    this.response = response;
    this.trailers = Responding.trailers(response, exchange.head().headers());
    this.session = exchange.session;
  }

  /**
   * Writes all of it.
   *
   * @throws ResponseFailedException when the response cannot be sent as it is
   * @throws IOException when the channel fails
   */
  void write() throws ResponseFailedException, IOException {
    Status status = response.status();
    Responding.checkFinal(status);
    long length = announcedLength(status);
    ByteBuffer memory = response.body().inMemory();
    if (memory != null || !Responding.mayCarryContent(response, exchange.method())) {
      prepareHead(length, isLast() || exchange.shutContinue() || exchange.isUnreadRestLong());
      ByteBuffer[] last =
          memory != null && session.hasContentToSend() ? writeMemory(memory) : NOTHING;
      exchange.writeLast(endBehind(last));
      return;
    }
    if (response.body().isWritten()) {
      Responding.write(response, exchange.method(), this);
      return;
    }
    try (StreamedContent content = new StreamedContent(response.body(), connection.memory())) {
      FileInput file =
          length > SENT_FILE_BYTES && connection.channel().sendsFiles() ? content.file() : null;
      // A body that reads the request's body makes the client send it, so it is read before the
      // head is written; so is one with a piece that can be written together with the head.
      boolean ahead = file == null && (exchange.owesContinue() || content.isReady());
      ByteBuffer first = ahead ? content.next() : null;
      prepareHead(length, isLast() || exchange.shutContinue());
      if (file == null) {
        writeStream(content, first);
      } else {
        writeFile(file, length);
      }
    }
    writeEnd();
  }

  // Content that is written piece by piece.

  @Override
  public void sendWhole(Body content) throws ResponseFailedException, IOException {
    new ResponseWriter(connection, exchange, response.withBody(content)).write();
    exchange.finish();
  }

  @Override
  public void begin() throws ResponseFailedException, IOException {
    Responding.checkFinal(response.status());
    prepareHead(declaredLength(), isLast() || exchange.shutContinue());
  }

  private long declaredLength() {
    if (response.status().equals(Status.NO_CONTENT)) {
      return Http1Session.NO_BODY;
    }
    long declared = ContentFields.declaredLength(response.headers());
    return declared < 0 || Responding.mayHaveTrailers(trailers) ? Http1Session.UNKNOWN : declared;
  }

  @Override
  public void send(ByteBuffer content, boolean last) throws IOException {
    if (last) {
      exchange.ending();
    }
    if (content.hasRemaining() && session.hasContentToSend()) {
      send(session.data(content));
    } else {
      send();
    }
  }

  @Override
  public void cut() {
    if (exchange.isCommitted()) {
      exchange.abandon();
    }
  }

  private boolean isLast() {
    return connection.draining || exchange.hasFault();
  }

  private long announcedLength(Status status) {
    long length = response.body().length();
    boolean withoutContent = Responding.isWithoutContent(status, exchange.method());
    if (Responding.mayHaveTrailers(trailers) && (length != 0 || !withoutContent)) {
      return Http1Session.UNKNOWN; // RFC 9112 §7.1.2: only chunks can be followed by trailers
    }
    if (!withoutContent && response.headers().contains(HeaderName.TRANSFER_ENCODING)) {
      return Http1Session.UNKNOWN; // The handler wants chunks.
    }
    if (status.equals(Status.NO_CONTENT)) {
      return Http1Session.NO_BODY; // its body is not sent, as over HTTP/2
    }
    if (length != 0) {
      return length;
    }
    if (exchange.method().equals(Method.HEAD) || status.equals(Status.NOT_MODIFIED)) {
      // Without a body the handler may still know the length of the body of a GET.
      String given = response.headers().first(HeaderName.CONTENT_LENGTH);
      return given == null ? Http1Session.NO_BODY : Long.parseLong(given);
    }
    return 0;
  }

  private void prepareHead(long length, boolean close) throws ResponseFailedException {
    Status status = response.status();
    try {
      Headers announcing = ContentFields.announcing(response.headers(), trailers);
      Headers fields =
          Responding.isWithoutContent(status, exchange.method()) ? response.headers() : announcing;
      Headers dated = ResponseFields.of(fields, ResponseFields.NO_LENGTH, clock(connection));
      unsentHead = session.responseHead(status, dated, length, close);
    } catch (IllegalArgumentException e) {
      throw new ResponseFailedException("the response cannot be sent: " + e.getMessage(), e);
    }
    exchange.commit();
  }

  /** Writes all but the last slice, which is returned to be written with what ends the response. */
  private ByteBuffer[] writeMemory(ByteBuffer memory) throws IOException {
    int position = memory.position();
    while (memory.limit() - position > SLICE_BYTES) {
      send(session.data(memory.slice(position, SLICE_BYTES)));
      position += SLICE_BYTES;
    }
    return session.data(memory.slice(position, memory.limit() - position));
  }

  private void writeStream(StreamedContent content, @Nullable ByteBuffer first)
      throws ResponseFailedException, IOException {
    @Nullable ByteBuffer piece = first;
    if (piece == null) {
      send();
      piece = content.next();
    }
    // TLS would copy the gathered content once more, so only cleartext gains from it.
    boolean isCleartext = connection.channel().sendsFiles();
    while (piece != null) {
      if (content.isLastKnown()) {
        exchange.ending();
      }
      send(session.data(piece));
      piece = isCleartext ? content.nextGathered() : content.next();
    }
  }

  private void writeFile(FileInput file, long length) throws ResponseFailedException, IOException {
    send();
    connection.write(file.limit(length - SENT_FILE_BYTES));
    if (file.remaining() == 0) {
      exchange.ending();
      connection.write(file.limit(length));
    }
    if (file.taken() < length) {
      throw new ResponseFailedException(
          "the response's file ended after " + file.taken() + " of " + length + " bytes", null);
    }
    session.countData(length);
  }

  @Override
  public void end() throws ResponseFailedException, IOException {
    writeEnd();
    exchange.finish();
  }

  private void writeEnd() throws ResponseFailedException, IOException {
    exchange.write(endBehind(NOTHING));
  }

  /** What is left to be written of the response, whose content ends with {@code content}. */
  private ByteBuffer[] endBehind(ByteBuffer[] content) throws ResponseFailedException, IOException {
    exchange.ending();
    ByteBuffer[] rest = content;
    if (rest.length > 0 && Responding.mayHaveTrailers(trailers)) {
      send(rest); // The trailers may take their time, or fail.
      rest = NOTHING;
    }
    ByteBuffer last;
    try {
      last = session.end(Responding.mayHaveTrailers(trailers) ? trailers.get() : Headers.empty());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new ResponseFailedException("the response cannot be ended: " + e.getMessage(), e);
    }
    if (last.hasRemaining()) {
      rest = Arrays.copyOf(rest, rest.length + 1);
      rest[rest.length - 1] = last;
    }
    return behindHead(rest);
  }

  /** Writes content, behind the head if that is not written. */
  private void send(ByteBuffer... content) throws IOException {
    exchange.write(behindHead(content));
  }

  private ByteBuffer[] behindHead(ByteBuffer[] content) {
    ByteBuffer head = unsentHead;
    if (head == null) {
      return content;
    }
    unsentHead = null;
    return GatheredResponses.behind(head, content);
  }

  private static Clock clock(Http1ServerConnection connection) {
    return connection.channel().loop().clock();
  }

  /**
   * Writes the answer to input that is not a request, or that arrived when there was no room for
   * it. The session is not involved.
   *
   * @param retryAfterSeconds for Retry-After, RFC 9110 §10.2.3; 0 to omit it
   */
  static void writeRefusal(Http1ServerConnection connection, Status status, int retryAfterSeconds)
      throws IOException {
    String text = status.reason() + "\n";
    String message = "HTTP/1.1 " + status.code() + " " + status.reason() + "\r\n"
        + "Date: " + ResponseFields.date(clock(connection)) + "\r\n"
        + "Connection: close\r\n"
        + (retryAfterSeconds > 0 ? "Retry-After: " + retryAfterSeconds + "\r\n" : "")
        + "Content-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: " + text.length() + "\r\n\r\n"
        + text;
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    connection.channel().write(ByteBuffer.wrap(bytes), connection.writeDeadline());
  }
}
