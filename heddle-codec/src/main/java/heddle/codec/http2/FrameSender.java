package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.StreamState.Step;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a session: what may be sent, what is queued, and what the receiving half has
 * learnt of both, once it is {@linkplain #settle settled}. Guarded by the driver's lock.
 */
final class FrameSender {
  /** DATA frames are no larger, whatever the peer allows: other streams' frames go between. */
  private static final int MOST_DATA = 16_384;

  /** RFC 9113 §5.1.2 has no limit before SETTINGS; peers that refuse cost a round trip. */
  private static final int STREAMS_BEFORE_SETTINGS = 100;

  private static final int MOST_DEBUG = 255;

  private final SharedState shared;
  private final OutputQueue output;
  private final DataScheduler scheduler;
  private final HeadSender heads = new HeadSender();
  final RoundTrip roundTrip = new RoundTrip();

  /** The peer's settings as they are applied, and whether it has sent any. */
  Settings peer = Settings.INITIAL;

  boolean peerSettled;

  int maxStreams = STREAMS_BEFORE_SETTINGS;

  /** No stream is opened any more: a GOAWAY was sent or received, or the connection is broken. */
  private boolean closing;

  /** Nothing is sent any more. */
  private boolean broken;

  /** A first GOAWAY was sent, which names no last stream. */
  private boolean draining;

  /** Streams that a GOAWAY has left out. */
  final ArrayDeque<Http2Stream> refused = new ArrayDeque<>(0);

  /**
   * RFC 9113 §3.4: SETTINGS come first; and the connection's window opens.
   *
   * @param ahead what goes before them: a client's preface, the 101 of a server that switches to
   *     HTTP/2, or nothing
   */
  FrameSender(SharedState shared, OutputQueue output, DataScheduler scheduler, byte[] ahead) {
    this.shared = shared;
    this.output = output;
    this.scheduler = scheduler;
    HpackOutput out = output.control();
    Settings own = shared.limits.settings(shared.role);
    out.put(ahead, 0, ahead.length);
    if (shared.role == Role.CLIENT) {
      own.announced().encode(out);
    } else {
      own.changesFrom(Settings.INITIAL).encode(out);
    }
    shared.inflow.open(shared.limits.connectionWindow(shared.limits.streamWindow()));
    credit(0, shared.inflow);
  }

  // ---- heads

  /**
   * Opens a stream with the head of a request.
   *
   * @param scheme null for a CONNECT without a protocol, as is the path
   * @param protocol that of an extended CONNECT, or null
   */
  Http2Stream request(
      Method method,
      @Nullable String scheme,
      String authority,
      @Nullable String path,
      @Nullable String protocol,
      Headers headers,
      boolean endStream,
      @Nullable Object attachment) {
    Http2Stream stream = open(method, endStream, attachment);
    long length = heads.request(
        output.ordered(),
        stream.id(),
        endStream,
        method,
        scheme,
        authority,
        path,
        protocol,
        headers);
    stream.announcedToSend = method == Method.CONNECT ? Http2Stream.NO_LENGTH : length;
    stream.batch = output.batch;
    enter(stream);
    return stream;
  }

  /** Stream 1, whose request went over HTTP/1.1 (RFC 7540 §3.2). */
  Http2Stream upgraded(Method method, @Nullable Object attachment) {
    Http2Stream stream = open(method, true, attachment);
    enter(stream);
    return stream;
  }

  private Http2Stream open(Method method, boolean endStream, @Nullable Object attachment) {
    if (!canOpen()) {
      throw new IllegalStateException(
          closing
              ? "the connection takes no streams any more"
              : "all of the " + limit() + " streams that may be open are open: see canOpenStream");
    }
    StreamState state = endStream ? StreamState.HALF_CLOSED_LOCAL : StreamState.OPEN;
    Http2Stream stream = new Http2Stream((int) shared.nextId, method, state, attachment);
    stream.headSent = true;
    if (!endStream) {
      stream.outflow = new Outflow(stream.id(), peer.initialWindowSize());
    }
    return stream;
  }

  /** Adds the stream for the loop to find before the peer can know of it. */
  private void enter(Http2Stream stream) {
    stream.headUnused(shared.heads); // The caller owns the response, which counts while it comes.
    shared.table.add(stream);
    shared.opened();
    shared.nextId = stream.id() + 2L;
  }

  boolean canOpen() {
    return !isClosing() && shared.open < limit();
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
    long length = heads.response(output.ordered(), stream.id(), endStream, status, headers);
    boolean hasLength = stream.method != Method.HEAD && stream.method != Method.CONNECT;
    stream.announcedToSend = hasLength ? length : Http2Stream.NO_LENGTH;
    stream.headSent = !status.isInformational();
    stream.batch = output.batch;
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
    heads.trailers(output.ordered(), stream.id(), headers);
    stream.batch = output.batch;
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
    if (announced != Http2Stream.NO_LENGTH && (bytes > announced || (end && bytes != announced))) {
      throw new IllegalStateException("the content of " + stream + " is "
          + (bytes > announced ? "longer" : "shorter") + " than its Content-Length by "
          + Math.abs(announced - bytes) + " bytes");
    }
  }

  /** We have sent our end. */
  private void ended(Http2Stream stream) {
    scheduler.ended(stream);
    if (stream.step(Step.SEND_END) == StreamState.CLOSED) {
      shared.closed(stream);
      shared.table.remove(stream);
    }
  }

  /** Removes a closed stream from the tables and queues. */
  void forget(Http2Stream stream) {
    shared.table.remove(stream);
    scheduler.ended(stream);
  }

  // ---- content

  int data(Http2Stream stream, ByteBuffer payload, boolean endStream) {
    checkContent(stream);
    Outflow outflow = stream.outflow;
    int wanted = payload.remaining();
    if (broken || outflow == null || !stream.state().maySend()) {
      payload.position(payload.limit());
      return wanted;
    }
    checkLength(stream, wanted, endStream);
    int most = Math.min(MOST_DATA, peer.maxFrameSize());
    int bytes = wanted == 0 ? 0 : scheduler.take(stream, outflow, wanted);
    if (bytes == 0 && (wanted > 0 || !endStream)) {
      return 0;
    }
    HpackOutput out = output.ordered();
    int left = bytes;
    do {
      int length = Math.min(left, most);
      left -= length;
      boolean last = endStream && left == 0 && bytes == wanted;
      FrameHeader.encode(out, length, Frame.Data.TYPE, last ? Frame.END_STREAM : 0, stream.id());
      if (length > 0) {
        output.payload(payload.slice(payload.position(), length));
        payload.position(payload.position() + length);
      }
    } while (left > 0);
    stream.batch = output.batch;
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
      reset(stream, stream.id(), code.code());
    }
  }

  /** RST_STREAM overtakes, unless the stream's own frames wait to be written. */
  private void rst(int id, @Nullable Http2Stream stream, int code) {
    if (broken) {
      return;
    }
    boolean waits = stream != null && stream.batch == output.batch;
    Frame.RstStream.encode(waits ? output.ordered() : output.control(), id, code);
  }

  /** Sends the credit that is due; returns false if there is none. */
  boolean credit(int id, Inflow inflow) {
    int increment = broken ? 0 : inflow.credit(shared.now, roundTrip.nanos());
    if (increment == 0) {
      return false;
    }
    Frame.WindowUpdate.encode(output.control(), id, increment);
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
    long now = shared.now;
    if (roundTrip.isDue(now)) {
      roundTrip.sent(now);
      ping(false, SharedState.MEASURE);
    }
  }

  void ping(boolean ack, long data) {
    if (!broken) {
      new Frame.Ping(ack, data).encode(output.control());
    }
  }

  void drain() {
    if (draining || broken || shared.isFrozen()) {
      return;
    }
    draining = true;
    new Frame.GoAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "").encode(output.control());
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
    new Frame.GoAway(last, code, visible(debug)).encode(output.ordered());
  }

  /** Debug data as it may be sent, or go to a log: short, and visible ASCII only. */
  static String visible(String debug) {
    return debug.substring(0, Math.min(debug.length(), MOST_DEBUG)).replaceAll("[^ -~]", "?");
  }

  // ---- what the receiving half has learnt: the loop, under the lock

  /** Applies it in order of arrival. */
  void settle(PendingFrames pending) {
    try {
      pending.applyTo(this);
    } catch (Http2Exception e) {
      // Cannot happen: the receiving half has checked the credit against what was sent.
      throw new IllegalStateException("a window passed its bound unseen", e);
    }
    shared.inflow.consumed(pending.unread);
    pending.unread = 0;
    credit(0, shared.inflow);
    scheduler.grant();
    if (shared.open == 0) {
      output.trim();
    }
  }

  void peerSettings(Settings now) throws Http2Exception {
    apply(now);
    if (!broken) {
      // Behind all that was sent under the old settings: it must not overtake that (§6.5.3).
      Frame.Settings.ACKNOWLEDGEMENT.encode(output.ordered());
    }
  }

  /** Applies the peer's settings, without an acknowledgement. */
  void apply(Settings now) throws Http2Exception {
    Settings before = peer;
    peer = now;
    peerSettled = true;
    maxStreams = now.maxConcurrentStreams();
    heads.settings(now);
    if (now.initialWindowSize() != before.initialWindowSize()) {
      for (Http2Stream stream : shared.table.streams()) {
        Outflow outflow = stream.outflow;
        if (outflow != null) {
          outflow.initialWindow(before.initialWindowSize(), now.initialWindowSize());
          scheduler.windowMoved(stream, outflow);
        }
      }
    }
  }

  void windowUpdate(@Nullable Http2Stream stream, int increment) throws Http2Exception {
    Outflow outflow = stream == null ? shared.outflow : stream.outflow;
    if (outflow == null || (stream != null && !stream.state().maySend())) {
      return;
    }
    outflow.credit(increment);
    if (stream != null) {
      scheduler.windowMoved(stream, outflow);
    }
  }

  /** The PING of an orderly end was acknowledged. */
  void drained() {
    if (draining) {
      draining = false;
      goAway(ErrorCode.NO_ERROR, "");
    }
  }

  /** A stream that has ended in the batch that opened it never enters the table. */
  void openedByPeer(Http2Stream stream) {
    if (stream.state() != StreamState.CLOSED) {
      shared.table.add(stream);
    }
  }

  void resetByPeer(Http2Stream stream) {
    shared.closed.remember(stream.id(), true);
    forget(stream);
  }

  /** Sends the reset of a stream that is closed by now, or refused. */
  void reset(@Nullable Http2Stream stream, int id, int code) {
    shared.closed.remember(id, false);
    rst(id, stream, code);
    if (stream != null) {
      forget(stream);
    }
  }

  /** RFC 6585 §5: the answer to a request whose fields are too large; no handler has seen it. */
  void headTooLarge(int id, boolean complete) {
    shared.closed.remember(id, false);
    if (broken) {
      return;
    }
    HpackOutput out = output.ordered();
    heads.response(out, id, true, Status.REQUEST_HEADER_FIELDS_TOO_LARGE, Headers.empty());
    if (!complete) {
      // RFC 9113 §8.1: the response is complete, and the rest of the request is not wanted.
      Frame.RstStream.encode(out, id, ErrorCode.NO_ERROR.code());
    }
  }

  /** RFC 9113 §6.8: streams above the last one were not processed. */
  void goAwayReceived(int last) {
    closing = true;
    for (Http2Stream stream : shared.table.streams()) {
      if (shared.role == Role.CLIENT && stream.id() > last && stream.reset(true)) {
        shared.closed(stream);
        shared.closed.remember(stream.id(), false);
        forget(stream);
        refused.add(stream);
      }
    }
  }

  /** The peer broke a rule of the connection. */
  void fail(Http2Exception e) {
    goAway(e.code(), String.valueOf(e.getMessage()));
    broken = true;
  }

  // ---- the state of the connection

  /** Whether no stream may be opened any more, whatever ends. */
  boolean isClosing() {
    return closing || shared.nextId > Integer.MAX_VALUE;
  }

  boolean isDrained() {
    return (broken || (closing && !draining)) && shared.open == 0;
  }
}
