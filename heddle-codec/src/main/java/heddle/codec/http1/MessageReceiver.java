package heddle.codec.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.Role;
import heddle.codec.TrailerRules;
import heddle.codec.http1.HeadParser.Part;
import heddle.codec.http1.Http1State.Receiving;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The receiving half of a session. Belongs to one thread at a time. */
final class MessageReceiver {
  private final Limits limits;
  private final Role role;
  private final @Nullable HeadParser scratch;
  private final boolean hostRequired;

  private Receiving state;
  private @Nullable Method method; // of the request received, or that the response belongs to
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private BodyFraming framing = BodyFraming.NONE;
  private boolean closes;
  private int interims;
  private boolean begun; // a byte has come of a message whose end was not yielded yet

  // Bytes still to come, and bytes that came, under Content-Length or until close.
  private long remaining;
  private long received;

  private @Nullable HeadParser partial; // holds an incomplete head or trailer section
  private @Nullable ChunkedDecoder chunks;
  private @Nullable ChunkRate chunkRate; // of all messages in chunks

  MessageReceiver(Role role, Limits limits, @Nullable HeadParser scratch, boolean hostRequired) {
    this.role = role;
    this.limits = limits;
    this.scratch = scratch;
    this.hostRequired = hostRequired;
    state = role == Role.SERVER ? Receiving.HEAD : Receiving.IDLE;
  }

  /** The request's method; null when no request's head is known. */
  @Nullable
  Method method() {
    return method;
  }

  /** The peer's version; HTTP/1.1 while none is known. */
  HttpVersion version() {
    return version;
  }

  /** Whether the peer, or how its message is framed, ends the connection after this message. */
  boolean closes() {
    return closes || state == Receiving.FAILED;
  }

  Receiving state() {
    return state;
  }

  boolean isReceiving() {
    return begun;
  }

  boolean countsChunks() {
    return chunkRate != null;
  }

  void expectResponseTo(Method requestMethod) {
    state = state.to(Receiving.HEAD);
    method = requestMethod;
  }

  void nextMessage() {
    state = state.to(role == Role.SERVER ? Receiving.HEAD : Receiving.IDLE);
    method = null;
    version = HttpVersion.HTTP_1_1;
    framing = BodyFraming.NONE;
    interims = 0;
    received = 0;
    remaining = 0;
  }

  @Nullable
  Event next(ByteBuffer in, boolean upgradeOffered, long nowNanos) throws ProtocolException {
    try {
      return switch (state) {
        case IDLE -> nothingExpected(in);
        case HEAD -> head(in, upgradeOffered, nowNanos);
        case CONTENT -> content(in, nowNanos);
        case ENDING -> finish(Event.End.NONE);
        case SWITCHING -> upgraded();
        case DONE, UPGRADED -> null;
        case FAILED ->
          throw new IllegalStateException("the peer broke the protocol: close the connection");
      };
    } catch (ProtocolException e) {
      state = Receiving.FAILED;
      throw e;
    }
  }

  private static @Nullable Event nothingExpected(ByteBuffer in) throws ProtocolException {
    if (in.hasRemaining()) {
      throw Violation.UNSOLICITED_RESPONSE.because(
          in.remaining() + " bytes came from the server while no response was expected");
    }
    return null;
  }

  private Event finish(Event.End end) {
    state = state.to(Receiving.DONE);
    begun = false;
    chunks = null;
    return end;
  }

  private Event upgraded() {
    begun = false;
    state = state.to(Receiving.UPGRADED);
    return Event.Upgraded.INSTANCE;
  }

  // ---- heads

  private @Nullable Event head(ByteBuffer in, boolean upgradeOffered, long nowNanos)
      throws ProtocolException {
    if (!in.hasRemaining()) {
      return null;
    }
    begun = true; // whatever the parser throws
    HeadParser parser =
        parse(in, role == Role.SERVER ? Part.REQUEST : Part.RESPONSE, limits.maxHeadBytes());
    if (parser == null) {
      begun = interims > 0 || (partial != null && !partial.isBlank());
      return null;
    }
    Event head = role == Role.SERVER
        ? request(parser, nowNanos)
        : response(parser, upgradeOffered, nowNanos);
    partial = null;
    return head;
  }

  /** Parses what has come of a head or trailer section; null if more is needed, which is kept. */
  private @Nullable HeadParser parse(ByteBuffer in, Part part, int maxBytes)
      throws ProtocolException {
    byte[] buf = in.array();
    int from = in.arrayOffset() + in.position();
    int to = in.arrayOffset() + in.limit();
    HeadParser parser = partial;
    if (parser == null) {
      parser = scratch != null ? scratch : new HeadParser();
      parser.begin(part, limits, maxBytes, role == Role.CLIENT);
    }
    int end = parser.feed(buf, from, to);
    if (end < 0 && parser == scratch) {
      // The scratch serves other sessions before the rest comes.
      parser = new HeadParser();
      parser.begin(part, limits, maxBytes, role == Role.CLIENT);
      end = parser.feed(buf, from, to);
    }
    in.position((end < 0 ? to : end) - in.arrayOffset());
    if (end < 0) {
      partial = parser;
      return null;
    }
    return parser;
  }

  /** See {@link Http1Session#requestLine}. */
  String requestLine(ByteBuffer in) {
    HeadParser parser = partial != null || state != Receiving.FAILED ? partial : scratch;
    return parser == null ? "" : parser.requestLine(in);
  }

  int headBytes() {
    return partial == null || chunks != null ? 0 : partial.received();
  }

  private Event request(HeadParser parser, long nowNanos) throws ProtocolException {
    StartLine line = parser.startLine;
    FieldRules rules = parser.rules;
    method = line.method;
    version = line.version;
    rules.checkFraming(version);
    if (hostRequired) {
      rules.checkHost(version);
    }
    framing = BodyFraming.ofRequest(line.method, rules);
    closes = rules.closes(version);
    boolean hasBody = framing != BodyFraming.NONE;
    // RFC 9110 §10.1.1: an expectation in an HTTP/1.0 request is ignored.
    boolean waits = hasBody && rules.expectContinue && version != HttpVersion.HTTP_1_0;
    beginContent(rules, nowNanos);
    return new Event.RequestHead(
        line.method, line.target, version, parser.headers(), hasBody, waits);
  }

  private Event response(HeadParser parser, boolean upgradeOffered, long nowNanos)
      throws ProtocolException {
    StartLine line = parser.startLine;
    FieldRules rules = parser.rules;
    Status status = line.status;
    Method requestMethod = method == null ? Method.GET : method;
    version = line.version;
    if (BodyFraming.mayHaveContent(requestMethod, status)) {
      rules.checkFraming(version);
    }
    boolean framed = rules.chunked || rules.contentLength > 0;
    if (status.isInformational() && status.code() != 101) {
      closes |= framed;
      return interim(status, parser);
    }
    if (status.code() == 101 && !upgradeOffered) {
      throw Violation.UNSOLICITED_UPGRADE.because("101 to a request that offered no upgrade");
    }
    if (status.code() == 101 || BodyFraming.opensTunnel(requestMethod, status)) {
      // RFC 9112 §6.3 (2): Content-Length and Transfer-Encoding are ignored here.
      state = state.to(Receiving.SWITCHING);
      return new Event.ResponseHead(status, version, parser.headers(), false);
    }
    framing = BodyFraming.ofResponse(requestMethod, status, rules);
    // A 204 has neither (RFC 9110 §8.6, RFC 9112 §6.1): what a server that sends them believes to
    // follow is not known, so nothing after it is trusted.
    closes |= rules.closes(version)
        || framing == BodyFraming.UNTIL_CLOSE
        || rules.isAmbiguous()
        || (status.code() == 204 && framed);
    beginContent(rules, nowNanos);
    boolean hasBody = framing != BodyFraming.NONE;
    return new Event.ResponseHead(status, version, parser.headers(), hasBody);
  }

  private Event interim(Status status, HeadParser parser) throws ProtocolException {
    if (++interims > limits.maxInterimResponses()) {
      throw Violation.TOO_MANY_INTERIM_RESPONSES.because(
          "more than " + limits.maxInterimResponses() + " interim responses in a row");
    }
    state = state.to(Receiving.HEAD);
    return new Event.Interim(status, parser.headers());
  }

  private void beginContent(FieldRules rules, long nowNanos) {
    remaining = Math.max(0, rules.contentLength);
    if (framing == BodyFraming.CHUNKED) {
      chunkRate = chunkRate == null ? new ChunkRate(nowNanos) : chunkRate;
      chunks = new ChunkedDecoder(limits, chunkRate);
    }
    state = state.to(framing == BodyFraming.NONE ? Receiving.ENDING : Receiving.CONTENT);
  }

  // ---- content

  private @Nullable Event content(ByteBuffer in, long nowNanos) throws ProtocolException {
    ChunkedDecoder decoder = chunks;
    if (decoder != null) {
      Event data = decoder.next(in, nowNanos);
      return data == null && decoder.trailerBytes() >= 0
          ? trailers(in, decoder.trailerBytes())
          : data;
    }
    boolean bounded = framing == BodyFraming.CONTENT_LENGTH;
    if (bounded && remaining == 0) {
      return finish(Event.End.NONE);
    }
    if (!in.hasRemaining()) {
      return null;
    }
    int length = (int) (bounded ? Math.min(remaining, in.remaining()) : in.remaining());
    ByteBuffer piece = in.slice(in.position(), length);
    in.position(in.position() + length);
    received += length;
    if (bounded) {
      remaining -= length;
    }
    return new Event.Data(piece);
  }

  private @Nullable Event trailers(ByteBuffer in, int maxBytes) throws ProtocolException {
    int at = in.position();
    if (partial == null && in.remaining() >= 2 && in.get(at) == '\r' && in.get(at + 1) == '\n') {
      in.position(at + 2);
      return finish(Event.End.NONE);
    }
    HeadParser parser = in.hasRemaining() ? parse(in, Part.TRAILERS, maxBytes) : null;
    if (parser == null) {
      return null;
    }
    partial = null;
    Headers trailers = parser.headers();
    HeaderName refused = TrailerRules.refused(trailers);
    if (refused != null) {
      throw Violation.FORBIDDEN_TRAILER.because(refused + " may not be a trailer field");
    }
    trailers = TrailerRules.withoutDropped(trailers);
    return finish(trailers.isEmpty() ? Event.End.NONE : new Event.End(trailers));
  }

  long contentAhead() {
    if (state != Receiving.CONTENT) {
      return 0;
    }
    return switch (framing) {
      case CONTENT_LENGTH -> remaining;
      case UNTIL_CLOSE -> Long.MAX_VALUE;
      case CHUNKED, NONE -> 0;
    };
  }

  // ---- the end of the input

  @Nullable
  Event endOfInput() throws ProtocolException {
    if (state == Receiving.SWITCHING) {
      return upgraded();
    }
    boolean isWhole = framing == BodyFraming.UNTIL_CLOSE
        || (framing == BodyFraming.CONTENT_LENGTH && remaining == 0);
    if (state == Receiving.ENDING || (state == Receiving.CONTENT && isWhole)) {
      return finish(Event.End.NONE);
    }
    boolean isHeadDue = state == Receiving.HEAD && (role == Role.CLIENT || begun);
    if (state != Receiving.CONTENT && !isHeadDue) {
      return null;
    }
    ProtocolException truncation = truncation();
    state = Receiving.FAILED;
    throw truncation;
  }

  private ProtocolException truncation() {
    String closed = "the peer closed the connection ";
    if (state == Receiving.HEAD) {
      if (partial == null) {
        return Violation.CLOSED_BEFORE_HEAD.because(
            closed + "before any byte of the response's head");
      }
      String firstLine = role == Role.SERVER ? "request line" : "status line";
      return Violation.CLOSED_IN_HEAD.because(closed + "in a head of which " + partial.received()
          + " bytes had come, in its " + (partial.isInFields() ? "header section" : firstLine));
    }
    return chunks != null
        ? Violation.CLOSED_IN_CHUNKS.because(closed + "after " + chunks.received()
            + " bytes of chunked content, before its last chunk")
        : Violation.CLOSED_IN_CONTENT.because(
            closed + "after " + received + " of " + (received + remaining) + " bytes of content");
  }
}
