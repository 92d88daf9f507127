package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.StreamState.Step;
import heddle.codec.http2.frame.DataFrame;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.GoAwayFrame;
import heddle.codec.http2.frame.PingFrame;
import heddle.codec.http2.frame.RstStreamFrame;
import heddle.codec.http2.frame.Settings;
import heddle.codec.http2.frame.WindowUpdateFrame;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The sending half of a session. Guarded by the driver's lock. */
final class FrameSender {
  /** DATA frames are no larger, whatever the peer allows: other streams' frames go between. */
  private static final int MOST_DATA = 16_384;

  /** RFC 9113 §5.1.2 has no limit before SETTINGS; peers that refuse cost a round trip. */
  private static final int STREAMS_BEFORE_SETTINGS = 100;

  private static final int MOST_DEBUG = 255;

  /** Time between two measurements of the round trip. */
  private static final long MEASURE_EVERY_NANOS = 1_000_000_000L;

  final SharedState shared;
  final OutputQueue output = new OutputQueue();
  final DataTurns turns;
  final HeadSender heads = new HeadSender();
  final RoundTrip roundTrip = new RoundTrip();

  /** The peer's settings as they are applied. */
  Settings peer = Settings.INITIAL;

  int maxStreams = STREAMS_BEFORE_SETTINGS;

  /** No stream is opened any more: a GOAWAY was sent or received, or the connection is broken. */
  boolean closing;

  /** Nothing is sent any more. */
  boolean broken;

  boolean draining;
  final ArrayDeque<Http2Stream> refused = new ArrayDeque<>(0);

  private boolean measuring;
  private boolean measured;
  private long measuredAt;

  FrameSender(SharedState shared) {
    this.shared = shared;
    turns = new DataTurns(shared.outflow);
    begin();
  }

  /** RFC 9113 §3.4: the preface and SETTINGS come first; and the connection's window opens. */
  private void begin() {
    HpackOutput out = output.control();
    Settings own = shared.limits.settings(shared.role);
    if (shared.role == Role.CLIENT) {
      out.put(FrameReceiver.PREFACE, 0, FrameReceiver.PREFACE.length);
      own.announced().encode(out);
    } else {
      own.changesFrom(Settings.INITIAL).encode(out);
    }
    shared.inflow.open(shared.limits.connectionWindow(shared.limits.streamWindow()));
    credit(0, shared.inflow);
  }

  // ---- heads

  Http2Stream open(Method method, boolean endStream, @Nullable Object attachment) {
    if (!canOpen()) {
      throw new IllegalStateException(
          closing
              ? "the connection takes no streams any more"
              : "all of the " + limit() + " streams that may be open are open: see canOpenStream");
    }
    StreamState state = endStream ? StreamState.HALF_CLOSED_LOCAL : StreamState.OPEN;
    Http2Stream stream = new Http2Stream((int) shared.nextId(), method, state, attachment);
    stream.headSent = true;
    if (!endStream) {
      stream.outflow = new Outflow(stream.id(), peer.initialWindowSize());
    }
    return stream;
  }

  /** Stream 1, whose request went over HTTP/1.1 (RFC 7540 §3.2). */
  Http2Stream upgraded(Method method, @Nullable Object attachment) {
    Http2Stream stream = open(method, true, attachment);
    enter(stream);
    return stream;
  }

  /** The frames of the stream's head are appended behind {@code at}. */
  void opened(Http2Stream stream, HpackOutput out, int at) {
    boolean endStream = stream.state() == StreamState.HALF_CLOSED_LOCAL;
    HeadSender.frame(out, at, stream.id(), endStream, peer.maxFrameSize());
    stream.batch = output.batch();
    enter(stream);
  }

  /** Adds the stream for the loop to find before the peer can know of it. */
  private void enter(Http2Stream stream) {
    stream.headUnused(shared.heads); // The caller owns the response, which counts while it comes.
    shared.table.add(stream);
    shared.opened();
    shared.nextId(shared.nextId() + 2);
  }

  boolean canOpen() {
    return !closing && shared.nextId() <= Integer.MAX_VALUE && shared.open() < limit();
  }

  private int limit() {
    return Math.min(maxStreams, shared.limits.maxStreams());
  }

  boolean head(Http2Stream stream, Status status, Headers headers, boolean endStream) {
    if (stream.headSent) {
      throw new IllegalStateException("a final response was sent on " + stream);
    }
    if (broken || !stream.state().maySend()) {
      return false;
    }
    HpackOutput out = output.ordered();
    int at = FrameHeader.reserve(out);
    try {
      heads.response(out, status, headers);
    } catch (IllegalArgumentException e) {
      out.setLength(at);
      throw e;
    }
    HeadSender.frame(out, at, stream.id(), endStream, peer.maxFrameSize());
    stream.batch = output.batch();
    stream.headSent = !status.isInformational();
    boolean hasLength = stream.method() != Method.HEAD && stream.method() != Method.CONNECT;
    stream.announcedToSend = hasLength ? heads.contentLength() : Http2Stream.NO_LENGTH;
    if (endStream) {
      ended(stream);
    }
    return true;
  }

  boolean trailers(Http2Stream stream, Headers headers) {
    checkContent(stream);
    if (headers.isEmpty()) {
      return data(stream, ByteBuffer.allocate(0), true) >= 0 && !broken;
    }
    HeadRules.checkTrailersToSend(headers);
    if (broken || !stream.state().maySend()) {
      return false;
    }
    checkLength(stream, 0, true);
    HpackOutput out = output.ordered();
    int at = FrameHeader.reserve(out);
    try {
      heads.trailers(out, headers);
    } catch (IllegalArgumentException e) {
      out.setLength(at);
      throw e;
    }
    HeadSender.frame(out, at, stream.id(), true, peer.maxFrameSize());
    stream.batch = output.batch();
    ended(stream);
    return true;
  }

  private void checkContent(Http2Stream stream) {
    if (!stream.headSent) {
      throw new IllegalStateException("content before the head of " + stream);
    }
    if (stream.state() == StreamState.HALF_CLOSED_LOCAL) {
      throw new IllegalStateException("content after the end of " + stream);
    }
  }

  /** The Content-Length that was sent must be kept: the message is malformed otherwise. */
  private static void checkLength(Http2Stream stream, int bytes, boolean end) {
    long announced = stream.announcedToSend;
    if (announced == Http2Stream.NO_LENGTH) {
      return;
    }
    if (bytes > announced || (end && bytes != announced)) {
      throw new IllegalStateException("the content of " + stream + " is "
          + (bytes > announced ? "longer" : "shorter") + " than its Content-Length by "
          + Math.abs(announced - bytes) + " bytes");
    }
  }

  /** We have sent our end. */
  private void ended(Http2Stream stream) {
    turns.ended(stream);
    if (stream.step(Step.SEND_END) == StreamState.CLOSED) {
      shared.closed(stream);
      shared.table.remove(stream);
    }
  }

  /** Removes a closed stream from the tables and queues. */
  void forget(Http2Stream stream) {
    shared.table.remove(stream);
    turns.ended(stream);
  }

  // ---- content

  private int mostInFrame() {
    return Math.min(MOST_DATA, peer.maxFrameSize());
  }

  int data(Http2Stream stream, ByteBuffer payload, boolean endStream) {
    checkContent(stream);
    Outflow outflow = stream.outflow;
    int wanted = payload.remaining();
    if (broken || outflow == null || !stream.state().maySend()) {
      payload.position(payload.limit());
      return wanted;
    }
    checkLength(stream, wanted, endStream);
    int most = mostInFrame();
    int bytes = wanted == 0 ? 0 : turns.take(stream, outflow, wanted);
    if (bytes == 0 && (wanted > 0 || !endStream)) {
      return 0;
    }
    HpackOutput out = output.ordered();
    int left = bytes;
    do {
      int length = Math.min(left, most);
      left -= length;
      boolean last = endStream && left == 0 && bytes == wanted;
      FrameHeader.encode(out, length, DataFrame.TYPE, last ? DataFrame.END_STREAM : 0, stream.id());
      if (length > 0) {
        output.payload(payload.slice(payload.position(), length));
        payload.position(payload.position() + length);
      }
    } while (left > 0);
    stream.batch = output.batch();
    if (stream.announcedToSend != Http2Stream.NO_LENGTH) {
      stream.announcedToSend -= bytes;
    }
    if (endStream && bytes == wanted) {
      ended(stream);
    }
    return bytes;
  }

  // ---- control

  void reset(Http2Stream stream, ErrorCode code) {
    if (stream.reset(false)) {
      shared.closed(stream);
      shared.closed.remember(stream.id(), false);
      rst(stream.id(), stream, code.code());
      forget(stream);
    }
  }

  /** RST_STREAM overtakes, unless the stream's own frames wait to be written. */
  void rst(int id, @Nullable Http2Stream stream, int code) {
    if (broken) {
      return;
    }
    boolean waits = stream != null && stream.batch == output.batch();
    RstStreamFrame.encode(waits ? output.ordered() : output.control(), id, code);
  }

  /** Sends the credit that is due; returns false if there is none. */
  boolean credit(int id, Inflow inflow) {
    int increment = broken ? 0 : inflow.credit(shared.now(), roundTrip.nanos());
    if (increment == 0) {
      return false;
    }
    WindowUpdateFrame.encode(output.control(), id, increment);
    return true;
  }

  boolean consumed(Http2Stream stream, long bytes) {
    Inflow inflow = stream.inflow;
    if (inflow == null || !stream.state().mayReceive()) {
      return false;
    }
    inflow.consumed(bytes);
    if (!credit(stream.id(), inflow)) {
      return false;
    }
    measure();
    shared.inflow.open(shared.limits.connectionWindow(inflow.window()));
    return true;
  }

  /** Measures the round trip while large bodies come, by which windows grow. */
  private void measure() {
    long now = shared.now();
    if (measuring || (measured && now - measuredAt < MEASURE_EVERY_NANOS)) {
      return;
    }
    measuring = true;
    measured = true;
    measuredAt = now;
    roundTrip.sent(now);
    ping(false, SharedState.MEASURE);
  }

  void measured(long when) {
    if (measuring) {
      measuring = false;
      roundTrip.acknowledged(when);
    }
  }

  void ping(boolean ack, long data) {
    if (!broken) {
      new PingFrame(ack, data).encode(output.control());
    }
  }

  void drain() {
    if (draining || broken || shared.isFrozen()) {
      return;
    }
    draining = true;
    new GoAwayFrame(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "").encode(output.control());
    ping(false, SharedState.DRAIN);
  }

  /** Names the last stream; the rest is behind what waits, so that it is said before the end. */
  void goAway(ErrorCode code, String debug) {
    if (broken) {
      return;
    }
    closing = true;
    draining = false;
    int last = shared.freeze();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(debug.length(), MOST_DEBUG); i++) {
      char c = debug.charAt(i);
      text.append(c >= ' ' && c < 0x7F ? c : '?');
    }
    new GoAwayFrame(last, code, text.toString()).encode(output.ordered());
  }
}
