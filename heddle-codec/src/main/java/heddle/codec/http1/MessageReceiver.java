package heddle.codec.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.Role;
import heddle.codec.http1.Http1State.Receiving;
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

  private Receiving state;

  /** Server: of the request received. Client: of the request that the response belongs to. */
  private @Nullable Method method;

  private HttpVersion version = HttpVersion.HTTP_1_1;
  private BodyFraming framing = BodyFraming.NONE;
  private boolean closes;
  private int interims;

  /** Whether a byte has come of a message whose end was not yielded yet. */
  private boolean begun;

  /** Bytes still to come, and bytes that came, under Content-Length or until close. */
  private long remaining;

  private long received;

  /** Holds an incomplete head; null otherwise. */
  private @Nullable HeadParser partial;

  private @Nullable ChunkedDecoder chunks;

  /** For all messages that came in chunks; null before the first. */
  private @Nullable ChunkRate chunkRate;

  MessageReceiver(Role role, Limits limits, @Nullable HeadParser scratch) {
    this.role = role;
    this.limits = limits;
    this.scratch = scratch;
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
        case SWITCHING -> {
          begun = false;
          state = state.to(Receiving.UPGRADED);
          yield Event.Upgraded.INSTANCE;
        }
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
      throw new ProtocolException(
          Violation.UNSOLICITED_RESPONSE,
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

  // ---- heads

  private @Nullable Event head(ByteBuffer in, boolean upgradeOffered, long nowNanos)
      throws ProtocolException {
    if (!in.hasRemaining()) {
      return null;
    }
    HeadParser parser = partial;
    if (parser == null) {
      parser = begin(scratch != null ? scratch : new HeadParser());
    }
    byte[] buf = in.array();
    int from = in.arrayOffset() + in.position();
    int to = in.arrayOffset() + in.limit();
    begun = true; // whatever the parser throws
    int end = parser.feed(buf, from, to);
    if (end < 0 && parser == scratch) {
      // The scratch serves other sessions before the rest comes.
      parser = begin(new HeadParser());
      end = parser.feed(buf, from, to);
    }
    in.position((end < 0 ? to : end) - in.arrayOffset());
    if (end < 0) {
      partial = parser;
      begun = interims > 0 || !parser.isBlank();
      return null;
    }
    partial = null;
    return role == Role.SERVER
        ? request(parser, nowNanos)
        : response(parser, upgradeOffered, nowNanos);
  }

  int headBytes() {
    HeadParser parser = partial;
    return parser == null ? 0 : parser.received();
  }

  private HeadParser begin(HeadParser parser) {
    parser.begin(
        role == Role.SERVER ? HeadParser.Part.REQUEST : HeadParser.Part.RESPONSE,
        limits,
        limits.maxHeadBytes());
    return parser;
  }

  private Event request(HeadParser parser, long nowNanos) throws ProtocolException {
    StartLine line = parser.startLine();
    FieldRules rules = parser.rules();
    method = line.method;
    version = line.version;
    rules.checkFraming(version);
    rules.checkHost(version);
    framing = BodyFraming.ofRequest(line.method, rules);
    closes = rules.closes(version);
    boolean hasBody = framing != BodyFraming.NONE;
    // RFC 9110 §10.1.1: an expectation in an HTTP/1.0 request is ignored.
    boolean waits = hasBody && rules.expectContinue() && version != HttpVersion.HTTP_1_0;
    beginContent(rules, nowNanos);
    return new Event.RequestHead(
        line.method, line.target, version, parser.headers(), hasBody, waits);
  }

  private Event response(HeadParser parser, boolean upgradeOffered, long nowNanos)
      throws ProtocolException {
    StartLine line = parser.startLine();
    FieldRules rules = parser.rules();
    Status status = line.status;
    Method requestMethod = method == null ? Method.GET : method;
    version = line.version;
    if (BodyFraming.mayHaveContent(requestMethod, status)) {
      rules.checkFraming(version);
    }
    boolean framed = rules.chunked() || rules.contentLength() > 0;
    if (status.isInformational() && status.code() != 101) {
      closes |= framed;
      return interim(status, parser);
    }
    if (status.code() == 101 && !upgradeOffered) {
      throw new ProtocolException(
          Violation.UNSOLICITED_UPGRADE, "101 to a request that offered no upgrade");
    }
    if (status.code() == 101 || BodyFraming.opensTunnel(requestMethod, status)) {
      // RFC 9112 §6.3 (2): Content-Length and Transfer-Encoding are ignored here.
      state = state.to(Receiving.SWITCHING);
      return new Event.ResponseHead(status, version, parser.headers(), false);
    }
    framing = BodyFraming.ofResponse(requestMethod, status, rules);
    // A 204 must have neither (RFC 9110 §8.6, RFC 9112 §6.1): what a server that sends them
    // believes
    // to follow is not known, so nothing after it is trusted.
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
      throw new ProtocolException(
          Violation.TOO_MANY_INTERIM_RESPONSES,
          "more than " + limits.maxInterimResponses() + " interim responses in a row");
    }
    state = state.to(Receiving.HEAD);
    return new Event.Interim(status, parser.headers());
  }

  private void beginContent(FieldRules rules, long nowNanos) {
    remaining = Math.max(0, rules.contentLength());
    if (framing == BodyFraming.CHUNKED) {
      ChunkRate rate = chunkRate == null ? new ChunkRate(nowNanos) : chunkRate;
      chunkRate = rate;
      chunks = new ChunkedDecoder(limits, rate);
    }
    state = state.to(framing == BodyFraming.NONE ? Receiving.ENDING : Receiving.CONTENT);
  }

  // ---- content

  private @Nullable Event content(ByteBuffer in, long nowNanos) throws ProtocolException {
    ChunkedDecoder decoder = chunks;
    if (decoder != null) {
      Event event = decoder.next(in, scratch, nowNanos);
      return event instanceof Event.End end ? finish(end) : event;
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
    switch (state) {
      case ENDING -> {
        return finish(Event.End.NONE);
      }
      case SWITCHING -> {
        begun = false;
        state = state.to(Receiving.UPGRADED);
        return Event.Upgraded.INSTANCE;
      }
      case CONTENT -> {
        if (framing == BodyFraming.UNTIL_CLOSE
            || (framing == BodyFraming.CONTENT_LENGTH && remaining == 0)) {
          return finish(Event.End.NONE);
        }
      }
      case HEAD -> {
        if (role == Role.SERVER && !begun) {
          return null;
        }
      }
      case IDLE, DONE, UPGRADED, FAILED -> {
        return null;
      }
    }
    ProtocolException truncated =
        new ProtocolException(Violation.TRUNCATED, "the peer closed the connection " + missing());
    state = Receiving.FAILED;
    throw truncated;
  }

  private String firstLine() {
    return role == Role.SERVER ? "request line" : "status line";
  }

  private String missing() {
    if (state == Receiving.HEAD) {
      HeadParser parser = partial;
      return parser == null
          ? "before any byte of the response's head"
          : "in a head of which " + parser.received() + " bytes had come, in its "
              + (parser.isInFields() ? "header section" : firstLine());
    }
    ChunkedDecoder decoder = chunks;
    return decoder != null
        ? "after " + decoder.received() + " bytes of chunked content, before its last chunk"
        : "after " + received + " of " + (received + remaining) + " bytes of content";
  }
}
