package heddle.codec.http2;

import static heddle.codec.http2.frame.ErrorCode.COMPRESSION_ERROR;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;

import heddle.codec.Role;
import heddle.codec.hpack.HpackDecoder;
import heddle.codec.hpack.HpackException;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.FieldSection.Fields;
import heddle.codec.http2.PendingFrames.Kind;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns field blocks into heads and trailers: RFC 9113 §6.2, §6.10, §8.1. Decodes every block, even
 * one that is refused, because the next one builds on it (§4.3). Belongs to the loop.
 */
final class HeadReceiver {
  /** More than this is not kept for the next block that is cut. */
  private static final int MOST_KEPT = 1_024;

  private final SharedState shared;
  private final PendingFrames pending;
  private final FloodGuard flood;
  private final StreamReceiver streams;
  private final HpackDecoder decoder;
  private final HeadRules rules = new HeadRules();

  /** The HEADERS frame whose block is not complete; null between blocks. */
  private Frame.@Nullable Headers begun;

  /** The part of that block that has come. */
  private HpackOutput block = new HpackOutput(0);

  /** Why the block decoded last is larger than we take, or null. */
  private @Nullable String tooLarge;

  // Server: ids that the client has passed over lately, each a range; they never were streams.
  private final int[] gaps = new int[16];
  private int gapCount;

  HeadReceiver(
      SharedState shared, PendingFrames pending, FloodGuard flood, StreamReceiver streams) {
    this.shared = shared;
    this.pending = pending;
    this.flood = flood;
    this.streams = streams;
    Http2Limits limits = shared.limits;
    decoder = new HpackDecoder(
        limits.headerTableBytes(), limits.maxHeaderListBytes(), limits.maxFields());
  }

  void settingsAcknowledged() {
    decoder.settingsAcknowledged();
  }

  // ---- blocks

  /** The request line of the head that was decoded last, for logs. */
  String requestLine() {
    return rules.requestLine();
  }

  /** Bytes of memory that an incomplete block takes. */
  int heldBytes() {
    return block.array().length;
  }

  /** Drops an incomplete block: nothing more is received. */
  void abandon() {
    block = new HpackOutput(0);
  }

  @Nullable
  Http2Event headers(Frame.Headers frame) throws Http2Exception {
    if (!frame.endHeaders()) {
      begun = frame;
      FrameHeader.append(block, frame.fragment());
      return null;
    }
    decode(frame.streamId(), frame.fragment());
    return section(frame);
  }

  /** The reader and the guard have checked that it belongs here and is not one too many. */
  @Nullable
  Http2Event continuation(Frame.Continuation frame) throws Http2Exception {
    FrameHeader.append(block, frame.fragment());
    if (!frame.endHeaders()) {
      return null;
    }
    Frame.Headers first = Objects.requireNonNull(begun);
    begun = null;
    decode(first.streamId(), ByteBuffer.wrap(block.array(), 0, block.length()));
    if (block.array().length > MOST_KEPT) {
      block = new HpackOutput(0);
    } else {
      block.reset();
    }
    return section(first);
  }

  private void decode(int streamId, ByteBuffer whole) throws Http2Exception {
    tooLarge = null;
    int from = whole.arrayOffset() + whole.position();
    try {
      decoder.decode(whole.array(), from, whole.remaining(), rules.begin(streamId));
    } catch (HpackException e) {
      String message = String.valueOf(e.getMessage());
      if (e.reason() == HpackException.Reason.COMPRESSION_ERROR) {
        throw Http2Exception.connection(COMPRESSION_ERROR, message);
      }
      tooLarge = message;
    }
  }

  private @Nullable Http2Event section(Frame.Headers frame) throws Http2Exception {
    int id = frame.streamId();
    if (shared.role == Role.SERVER && shared.isIdle(id)) {
      return open(frame);
    }
    Http2Stream stream = streams.find(id);
    if (stream == null || !stream.state().mayReceive()) {
      refuse(id, stream);
      return null;
    }
    checkDependency(frame);
    if (tooLarge != null) {
      throw Http2Exception.stream(id, ENHANCE_YOUR_CALM, tooLarge);
    }
    if (!stream.chargeHead(decoder.listBytes(), shared.heads)) {
      throw Http2Exception.stream(id, ENHANCE_YOUR_CALM, beyondBudget());
    }
    return stream.headReceived ? trailers(stream, frame) : response(stream, frame);
  }

  private void refuse(int id, @Nullable Http2Stream stream) throws Http2Exception {
    if (stream == null) {
      for (int i = 0; i < gaps.length; i += 2) {
        if (id > gaps[i] && id < gaps[i + 1]) {
          throw Http2Exception.connection(
              PROTOCOL_ERROR,
              "stream " + id + " is opened after stream " + gaps[i + 1] + " (RFC 9113 §5.1.1)");
        }
      }
      if (shared.isLeftOut(id)) {
        flood.resetOwed(shared.now);
      }
    }
    streams.refuse(id, stream, "HEADERS");
    flood.ignored(shared.now);
  }

  private String beyondBudget() {
    return "with the " + decoder.listBytes() + " bytes of this head those of all open streams are"
        + " more than " + shared.heads.total + " bytes";
  }

  /** RFC 7540 §5.3.1; RFC 9113 §5.3.1 takes nothing of it back. */
  private static void checkDependency(Frame.Headers frame) throws Http2Exception {
    if (frame.dependsOnItself()) {
      throw Http2Exception.stream(
          frame.streamId(), PROTOCOL_ERROR, "stream " + frame.streamId() + " depends on itself");
    }
  }

  // ---- requests

  private @Nullable Http2Event open(Frame.Headers frame) throws Http2Exception {
    int id = frame.streamId();
    if ((id & 1) == 0) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR, "a client opens stream " + id + ", which is even (RFC 9113 §5.1.1)");
    }
    int before = shared.accepted();
    if (!shared.accept(id)) {
      flood.resetOwed(shared.now); // Our GOAWAY has left it out in this moment.
      return null;
    }
    if (id > before + 2) {
      gaps[gapCount] = before;
      gaps[gapCount + 1] = id;
      gapCount = gapCount + 2 & gaps.length - 1;
    }
    flood.streamOpened(shared.now);
    streams.opening = id;
    checkDependency(frame);
    if (shared.open >= shared.limits.maxStreams()) {
      throw Http2Exception.stream(
          id, REFUSED_STREAM, shared.open + " streams are open already (RFC 9113 §5.1.2)");
    }
    String large = tooLarge;
    if (large != null) {
      streams.opening = 0;
      flood.resetOwed(shared.now);
      pending.add(Kind.TOO_LARGE, null, PendingFrames.pair(id, frame.endStream() ? 1 : 0));
      return new Http2Event.StreamError(
          id,
          null,
          ENHANCE_YOUR_CALM,
          MalformedMessageException.Kind.LIMIT,
          large,
          rules.requestLine());
    }
    if (shared.queuedBytes > shared.limits.maxQueuedBytes()) {
      throw Http2Exception.stream(
          id,
          REFUSED_STREAM,
          shared.queuedBytes + " bytes wait for a client that does not read, at most "
              + shared.limits.maxQueuedBytes() + " may");
    }
    Http2Event head = request(frame, rules.request(shared.limits.extendedConnect()));
    streams.opening = 0;
    return head;
  }

  private Http2Event request(Frame.Headers frame, HeadRules.Request request) throws Http2Exception {
    int id = frame.streamId();
    boolean end = frame.endStream();
    StreamState state = end ? StreamState.HALF_CLOSED_REMOTE : StreamState.OPEN;
    Http2Stream stream = new Http2Stream(id, request.method(), state, null);
    stream.headReceived = true;
    if (request.method() == Method.CONNECT) {
      stream.tunnel = true;
    } else {
      stream.announced = request.fields().contentLength();
    }
    StreamReceiver.checkLength(stream, end);
    if (!stream.chargeHead(decoder.listBytes(), shared.heads)) {
      throw Http2Exception.stream(id, REFUSED_STREAM, beyondBudget());
    }
    // What may be sent may be known before it is settled: the peer has said so.
    stream.outflow = new Outflow(id, streams.peer.initialWindowSize());
    shared.opened();
    pending.add(Kind.OPENED, stream, 0);
    return new Http2Event.RequestHead(
        stream,
        request.method(),
        request.scheme(),
        request.authority(),
        request.target(),
        request.protocol(),
        request.fields().headers(),
        end);
  }

  // ---- responses

  private @Nullable Http2Event response(Http2Stream stream, Frame.Headers frame)
      throws Http2Exception {
    Status status = rules.status();
    Fields fields = rules.fields();
    boolean end = frame.endStream();
    if (status.isInformational()) {
      return interim(stream, status, fields.headers(), end);
    }
    stream.headReceived = true;
    stream.announced = fields.contentLength();
    if (stream.method == Method.CONNECT && status.isSuccess()) {
      stream.tunnel = true;
      stream.announced = Http2Stream.NO_LENGTH; // RFC 9110 §9.3.6
    }
    stream.noContent = stream.method == Method.HEAD || !status.mayHaveContent();
    StreamReceiver.checkLength(stream, end);
    if (end && !streams.ended(stream)) {
      return null;
    }
    return new Http2Event.ResponseHead(stream, status, fields.headers(), end);
  }

  private Http2Event interim(Http2Stream stream, Status status, Headers headers, boolean end)
      throws Http2Exception {
    if (status.code() == 101) {
      throw StreamReceiver.malformed(stream, "101, which HTTP/2 has not (RFC 9113 §8.6)");
    }
    if (end) {
      throw StreamReceiver.malformed(
          stream, "the stream ends with an interim response (RFC 9113 §8.1)");
    }
    if (++stream.interims > shared.limits.maxInterimResponses()) {
      throw Http2Exception.stream(
          stream.id(),
          ENHANCE_YOUR_CALM,
          "more than " + shared.limits.maxInterimResponses() + " interim responses in a row");
    }
    return new Http2Event.Interim(stream, status, headers);
  }

  // ---- trailers

  private @Nullable Http2Event trailers(Http2Stream stream, Frame.Headers frame)
      throws Http2Exception {
    if (!frame.endStream()) {
      throw StreamReceiver.malformed(
          stream, "a second head, or trailers that do not end the stream (RFC 9113 §8.1)");
    }
    if (stream.tunnel) {
      throw StreamReceiver.malformed(stream, "HEADERS in a tunnel (RFC 9113 §8.5)");
    }
    Headers trailers = rules.trailers();
    StreamReceiver.checkLength(stream, true);
    return streams.ended(stream) ? new Http2Event.Trailers(stream, trailers) : null;
  }
}
