package heddle.codec.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.codec.TrailerRules;
import heddle.codec.http1.Http1State.Receiving;
import heddle.codec.http1.Http1State.Sending;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One connection's view of HTTP/1.1 (RFC 9112): bytes in, {@link Event}s out, and messages back
 * into bytes. It knows no socket, thread, lock or clock, and holds no buffer between messages.
 *
 * <p>The receiving half ({@link #expectResponseTo} to {@link #isReceiving}) belongs to one thread,
 * a connection's loop, the sending half ({@link #requestHead} to {@link #end}) to the writer, one
 * thread at a time. Both may run at once. They share no field that both write; what one reads of
 * the other was written before bytes went out or an event was handed over, so the driver's
 * hand-over (which must be a happens-before edge) publishes it:
 *
 * <ul>
 *   <li>client: {@link #expectResponseTo} and {@link #requestHead} are called before the first byte
 *       of the request is written; the loop reads what they left when the answer arrives;
 *   <li>server: {@link #responseHead} reads what the receiving half learnt from the request's head
 *       (method, version, Connection), which does not change until {@link #nextMessage}.
 * </ul>
 *
 * {@link #isReusable} and {@link #nextMessage} use both halves: call them when both are quiet, that
 * is when {@link Event.End} was yielded and {@link #end} has returned.
 *
 * <pre>{@code
 * session.expectResponseTo(method); // a client
 * ByteBuffer head = session.requestHead(method, target, host, headers, Http1Session.NO_BODY);
 * channel.write(head, deadline);
 * // on the loop, for each piece of input:
 * for (Event event; (event = session.next(in, nowNanos)) != null; ) { ... }
 * // after End, once the request is written too:
 * if (session.isReusable()) session.nextMessage(); else channel.close();
 * }</pre>
 *
 * <p>A server's {@link #next} yields nothing and consumes nothing between {@link Event.End} and
 * {@link #nextMessage}, so pipelined requests stay in the caller's buffer (which the caller must
 * keep if the channel does not).
 *
 * <p>A {@link ProtocolException} ends the receiving half for good; the sending half of a server can
 * still write one response to say so. An {@link IllegalStateException} or {@link
 * IllegalArgumentException} is a fault of the caller or of the message to be sent; nothing was
 * written by that call.
 */
public final class Http1Session {
  // Given as the contentLength of a message without a body, and of a body that is sent in chunks.
  public static final long NO_BODY = -2;
  public static final long UNKNOWN = -1;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final ByteBuffer[] NO_BUFFERS = {};
  private static final byte[] CRLF = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

  private final Role role;
  private final MessageReceiver receiver;

  // The sending half's.
  private Sending sending = Sending.IDLE;
  private BodyFraming framing = BodyFraming.NONE;
  private boolean dropsTrailers; // they may be given though the message cannot carry them
  private boolean closes;
  private boolean upgradeOffered;
  private long announced; // bytes, by Content-Length
  private long remaining; // of those

  /** A session at the start of a connection, ready for its first message. */
  public Http1Session(Role role, Limits limits) {
    this(role, limits, null);
  }

  /**
   * A session whose receiving half borrows {@code scratch} during its calls, so that a head costs
   * few allocations. Sessions that the same thread receives for may share one.
   */
  public Http1Session(Role role, Limits limits, @Nullable HeadParser scratch) {
    this(role, limits, scratch, true);
  }

  private Http1Session(
      Role role, Limits limits, @Nullable HeadParser scratch, boolean hostRequired) {
    this.role = role;
    receiver = new MessageReceiver(role, limits, scratch, hostRequired);
  }

  /**
   * A server's session, as {@link #Http1Session(Role, Limits, HeadParser)} makes it.
   *
   * @param hostRequired whether a request of HTTP/1.1 without a Host field is refused, RFC 9112
   *     §3.2
   */
  public static Http1Session server(
      Limits limits, @Nullable HeadParser scratch, boolean hostRequired) {
    return new Http1Session(Role.SERVER, limits, scratch, hostRequired);
  }

  // ---- receiving half

  /**
   * Client: sets which request the next response belongs to, which decides whether it has a body
   * (RFC 9112 §6.3). Call it once for each request, before its first byte is written.
   *
   * @throws IllegalStateException if the response before is not complete or {@link #nextMessage}
   *     was not called after it
   */
  public void expectResponseTo(Method method) {
    checkRole(Role.CLIENT);
    receiver.expectResponseTo(method);
  }

  /**
   * Takes the next event out of {@code in}. Call it until it returns null, even without further
   * input: all input was consumed and more is needed, or the message has ended. If {@code in} still
   * has bytes then, they are the next request on a server; on a client the server sent bytes
   * unasked and the connection must not be used again. A client that expects no response refuses
   * any byte ({@code UNSOLICITED_RESPONSE}). After {@link Event.Upgraded} it returns null for ever.
   * An incomplete head is kept in a buffer of at most {@link Limits#maxHeadBytes}.
   *
   * @param in a heap buffer ({@link ByteBuffer#hasArray}), unless it holds no more than {@link
   *     #contentAhead}; its position moves over what was consumed
   * @param nowNanos monotonic time; only differences count
   * @throws ProtocolException when the peer broke the protocol
   * @throws IllegalStateException when it was called after a {@link ProtocolException}
   */
  public @Nullable Event next(ByteBuffer in, long nowNanos) throws ProtocolException {
    return receiver.next(in, upgradeOffered, nowNanos);
  }

  /** How many of the bytes that come next are content; 0 if framing may come, as in chunks. */
  public long contentAhead() {
    return receiver.contentAhead();
  }

  /** How many bytes of an incomplete head have come; 0 if there is none. */
  public int headBytes() {
    return receiver.headBytes();
  }

  /**
   * Server, for logs: the request line of a head that is incomplete or was refused, as far as it
   * has come, but at most 2,048 bytes of one that is incomplete or malformed. As ISO 8859-1, with
   * control characters; empty if nothing has come, or the session has no scratch.
   *
   * @param in what {@link #next} has not taken, as it was left; empty for a head that is incomplete
   */
  public String requestLine(ByteBuffer in) {
    return receiver.requestLine(in);
  }

  /**
   * The peer will send no more.
   *
   * @return {@link Event.End} when that completes a body which only the close delimits; null
   *     between messages and after {@link Event.End}
   * @throws ProtocolException a truncation, saying how many of how many bytes had come. Also
   *     on a client that waits for a response of which nothing has come, so that {@link
   *     #isReceiving} is false
   */
  public @Nullable Event endOfInput() throws ProtocolException {
    return receiver.endOfInput();
  }

  /**
   * Whether at least one byte of a message has come of which {@link Event.End} has not yet been
   * yielded. Remains true after a {@link ProtocolException} in such a message.
   */
  public boolean isReceiving() {
    return receiver.isReceiving();
  }

  // ---- sending half

  /**
   * Client: the head of a request, as HTTP/1.1.
   *
   * <p>Writes Host first, and Content-Length or Transfer-Encoding as {@code contentLength} asks. A
   * Host field in {@code headers} takes the place of {@code host}; a Content-Length or
   * Transfer-Encoding there must say the same as {@code contentLength} does.
   *
   * @param target the request-target, visible ASCII
   * @param host the value of the Host field, as {@code Origin.hostHeader()} gives it
   * @param contentLength the length of the body in bytes, {@link #UNKNOWN} or {@link #NO_BODY}
   * @return an exactly sized heap buffer
   * @throws IllegalArgumentException when the target or host cannot be sent, or {@code headers}
   *     contradict {@code contentLength}
   * @throws IllegalStateException when the message before is not complete
   */
  public ByteBuffer requestHead(
      Method method, String target, String host, Headers headers, long contentLength) {
    checkRole(Role.CLIENT);
    checkIdle();
    long length = SendingRules.requestLength(method, headers, contentLength);
    ByteBuffer head = HeadWriter.request(method, target, host, headers, length);
    closes = headers.containsToken(HeaderName.CONNECTION, "close");
    upgradeOffered = headers.contains(HeaderName.UPGRADE);
    begin(SendingRules.framingOf(length), length);
    return head;
  }

  /**
   * Server: the head of the final response to the request received last, or to one that was refused
   * with a {@link ProtocolException}; with {@code close} also before a request's head has come.
   *
   * <p>Writes the framing that the request's method and version and the status allow: no content
   * after HEAD, 204 and 304 (whose {@code contentLength} is still announced if allowed), never
   * chunks to HTTP/1.0 (the end of the connection delimits the body then). Adds {@code Connection:
   * close} or, for HTTP/1.0, {@code keep-alive}.
   *
   * @param contentLength as in {@link #requestHead}; {@link #NO_BODY} is sent as a length of 0
   *     if the client would otherwise wait for content
   * @param close whether the connection ends after this response, as it does if the request asks
   * @throws IllegalArgumentException when {@code headers} contradict {@code contentLength}, or the
   *     status allows no content and {@code contentLength} says there is some; status 1xx other
   *     than 101 belongs to {@link #interimHead}
   * @throws IllegalStateException when a response has begun already, or there is no request
   */
  public ByteBuffer responseHead(
      Status status, Headers headers, long contentLength, boolean close) {
    checkAnswering(close);
    checkIdle();
    SendingRules.checkLength(contentLength);
    Method method = receiver.method(); // null if the request could not be read
    boolean tunnel = method != null && BodyFraming.opensTunnel(method, status);
    if (status.isInformational() && status.code() != 101) {
      throw new IllegalArgumentException(status.code() + " is an interim response");
    }
    if (status.code() == 101 || tunnel) {
      SendingRules.checkUnframed(status, headers);
      SendingRules.checkNoContent(status, contentLength);
      ByteBuffer head = HeadWriter.response(status, headers, NO_BODY, "");
      sending = sending.to(Sending.UPGRADED);
      return head;
    }
    boolean isHead = method == Method.HEAD;
    boolean isOld = receiver.version() == HttpVersion.HTTP_1_0;
    BodyFraming body = SendingRules.responseFraming(status, headers, contentLength, isHead, isOld);
    boolean closing = close
        || receiver.closes()
        || body == BodyFraming.UNTIL_CLOSE
        || headers.containsToken(HeaderName.CONNECTION, "close");
    long written = SendingRules.responseLength(status, headers, contentLength, isHead, isOld);
    String connection = SendingRules.connectionLine(headers, closing, isOld);
    ByteBuffer head = HeadWriter.response(status, headers, written, connection);
    closes = closing;
    dropsTrailers = body == BodyFraming.UNTIL_CLOSE || isHead || !status.mayHaveContent();
    begin(body, contentLength);
    return head;
  }

  /**
   * Server: an interim response (1xx other than 101), such as 100 (Continue). An empty buffer when
   * the client speaks HTTP/1.0, which knows none (RFC 9110 §15.2).
   *
   * @throws IllegalArgumentException for another status, or fields that frame a message
   * @throws IllegalStateException when the final response has begun, or there is no request
   */
  public ByteBuffer interimHead(Status status, Headers headers) {
    checkAnswering(false);
    checkIdle();
    if (!status.isInformational() || status.code() == 101) {
      throw new IllegalArgumentException(status.code() + " is no interim response");
    }
    SendingRules.checkUnframed(status, headers);
    // RFC 9110 §15.2: no 1xx to an HTTP/1.0 client, which would take it for the final response.
    return receiver.version() == HttpVersion.HTTP_1_0
        ? NOTHING
        : HeadWriter.response(status, headers, NO_BODY, "");
  }

  private void begin(BodyFraming newFraming, long length) {
    framing = newFraming;
    announced = newFraming == BodyFraming.CONTENT_LENGTH ? length : 0;
    remaining = announced;
    sending = sending.to(newFraming == BodyFraming.NONE ? Sending.DONE : Sending.CONTENT);
  }

  private void checkIdle() {
    if (sending != Sending.IDLE) {
      throw new IllegalStateException(
          "a head was written already and the session is not ready for the next: it is " + sending);
    }
  }

  /**
   * Whether content has to follow the head written last: false for {@link #NO_BODY}, a length of 0,
   * responses that have none for their method or status, and once it is complete.
   */
  public boolean hasContentToSend() {
    return sending == Sending.CONTENT;
  }

  /**
   * Frames a piece of the content: as it is under a Content-Length, as a chunk under chunked.
   *
   * @param payload not copied; the caller writes the result in its order, which may be empty
   * @throws IllegalStateException when more than the announced length would be sent (naming both),
   *     or the message has no content
   */
  public ByteBuffer[] data(ByteBuffer payload) {
    int length = payload.remaining();
    if (length == 0) {
      return NO_BUFFERS;
    }
    if (sending != Sending.CONTENT && announced == 0) {
      throw new IllegalStateException(
          length + " bytes of content for a message that has none: its sending is " + sending);
    }
    if (framing == BodyFraming.CHUNKED) {
      ByteBuffer size = ByteBuffer.wrap(sizeLine(length));
      return new ByteBuffer[] {size, payload, ByteBuffer.wrap(CRLF)};
    }
    if (framing == BodyFraming.CONTENT_LENGTH) {
      countData(length);
    }
    return new ByteBuffer[] {payload};
  }

  /**
   * Counts content that the caller sends by other means, as it is, under a Content-Length.
   *
   * @throws IllegalStateException as {@link #data} does
   */
  public void countData(long length) {
    if (length > remaining) {
      long sent = announced - remaining + length;
      throw new IllegalStateException(
          "the body has " + sent + " bytes or more, but " + announced + " were announced");
    }
    remaining -= length;
    if (remaining == 0) {
      sending = sending.to(Sending.DONE);
    }
  }

  /**
   * Ends the message: the last chunk and the trailer section under chunked, otherwise an empty
   * buffer. May be called after a message without content too.
   *
   * @param trailers omitted if the message is not chunked because the client speaks HTTP/1.0 or
   *     asked for HEAD, or the status allows no content
   * @throws IllegalArgumentException when a trailer would frame or route the message (RFC 9110
   *     §6.5.1), or there are trailers and the length was announced
   * @throws IllegalStateException when fewer bytes were sent than announced (naming both), or no
   *     head was written
   */
  public ByteBuffer end(Headers trailers) {
    if (sending == Sending.IDLE) {
      throw new IllegalStateException("no head was written");
    }
    if (framing == BodyFraming.CONTENT_LENGTH && remaining > 0) {
      throw new IllegalStateException("the body has " + (announced - remaining) + " bytes, but "
          + announced + " were announced: close the connection");
    }
    if (!trailers.isEmpty()) {
      TrailerRules.checkToSend(trailers);
      if (framing != BodyFraming.CHUNKED && !dropsTrailers) {
        throw new IllegalArgumentException(
            "trailers need a body of unknown length, which is sent in chunks");
      }
    }
    if (sending != Sending.CONTENT) {
      return NOTHING;
    }
    sending = sending.to(Sending.DONE);
    return framing == BodyFraming.CHUNKED ? lastChunk(trailers) : NOTHING;
  }

  /** RFC 9112 §7.1: the size of a chunk, in hexadecimal digits, and CRLF. */
  private static byte[] sizeLine(int size) {
    int digits = Math.max(1, (35 - Integer.numberOfLeadingZeros(size)) / 4);
    byte[] line = new byte[digits + 2];
    for (int i = digits - 1, rest = size; i >= 0; i--, rest >>>= 4) {
      line[i] = (byte) Character.forDigit(rest & 15, 16);
    }
    line[digits] = '\r';
    line[digits + 1] = '\n';
    return line;
  }

  private static ByteBuffer lastChunk(Headers trailers) {
    if (trailers.isEmpty()) {
      return ByteBuffer.wrap(LAST_CHUNK);
    }
    HeadWriter writer = new HeadWriter(LAST_CHUNK.length + HeadWriter.sizeOf(trailers));
    writer.text("0\r\n");
    writer.fields(trailers);
    return writer.endOfHead();
  }

  // ---- both halves quiet

  /**
   * Whether both messages are complete and the connection persists: neither side said close, no
   * body was delimited by it, nothing failed, no other protocol has taken over (RFC 9112 §9.3).
   */
  public boolean isReusable() {
    return receiver.state() == Receiving.DONE
        && sending == Sending.DONE
        && !receiver.closes()
        && !closes;
  }

  /**
   * Whether a new session would do as well for the next message. False once content has come in
   * chunks, whose rate is that of all messages of the connection.
   */
  public boolean isReplaceable() {
    return isReusable() && !receiver.countsChunks();
  }

  /**
   * Server: whether the requests behind the one that was received may be received by other
   * sessions, before its response is written. Not if it is the last of its connection, or if {@link
   * #isReplaceable} will say that no other session would do.
   */
  public boolean allowsFollowers() {
    return receiver.state() == Receiving.DONE && !receiver.closes() && !receiver.countsChunks();
  }

  /** Makes both halves of a session that is {@link #isReusable} ready for the next message. */
  public void nextMessage() {
    if (!isReusable()) {
      throw new IllegalStateException("the connection cannot take another message: receiving is "
          + receiver.state() + (receiver.closes() ? " (closes)" : "") + ", sending is "
          + sending + (closes ? " (closes)" : ""));
    }
    receiver.nextMessage();
    sending = sending.to(Sending.IDLE);
    framing = BodyFraming.NONE;
    upgradeOffered = false;
    dropsTrailers = false;
    announced = 0;
    remaining = 0;
  }

  private void checkRole(Role needed) {
    if (role != needed) {
      throw new IllegalStateException("a session of role " + role + " does not do that");
    }
  }

  private void checkAnswering(boolean close) {
    checkRole(Role.SERVER);
    if (!close && receiver.method() == null && receiver.state() != Receiving.FAILED) {
      throw new IllegalStateException("there is no request to respond to");
    }
  }
}
