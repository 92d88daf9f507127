package heddle.codec.http2;

import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.STREAM_CLOSED;

import heddle.codec.http2.ClosedStreams.How;
import heddle.codec.http2.PendingFrames.Kind;
import heddle.codec.http2.StreamState.Step;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import heddle.http.failure.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * What frames mean for their streams, RFC 9113 §5.1: content, resets, credit, and frames that a
 * stream's state does not allow. Belongs to the loop.
 */
final class StreamReceiver {
  private final SharedState shared;
  private final PendingFrames pending;
  private final FloodGuard flood;

  /** The peer's settings as its frames have said them; they may not be settled yet. */
  Settings peer = Settings.INITIAL;

  /** Credit for the connection that the peer gave in all. */
  private long credited;

  /** Server: the stream whose request is being judged, which no table holds yet; 0 if none. */
  int opening;

  StreamReceiver(SharedState shared, PendingFrames pending, FloodGuard flood) {
    this.shared = shared;
    this.pending = pending;
    this.flood = flood;
  }

  /** The stream with this id that is in the table, or will be when this batch is settled. */
  @Nullable
  Http2Stream find(int id) {
    Http2Stream stream = shared.table.find(id);
    return stream != null ? stream : pending.opened(id);
  }

  // ---- DATA

  @Nullable
  Http2Event data(Frame.Data frame) throws Http2Exception {
    int bytes = frame.flowControlled();
    shared.inflow.received(bytes);
    Http2Stream stream = find(frame.streamId());
    if (stream == null || !stream.state().mayReceive()) {
      pending.unread += bytes;
      refuse(frame.streamId(), stream, "DATA");
      return null; // and it stays counted: only what ends a stream is not
    }
    try {
      receive(stream, frame);
    } catch (Http2Exception e) {
      pending.unread += bytes;
      throw e;
    }
    boolean end = frame.endStream();
    if (bytes == 0 && !end) {
      return null;
    }
    if (end) {
      if (!ended(stream)) {
        pending.unread += bytes;
        return null;
      }
      flood.dataEnded(shared.now);
    }
    return new Http2Event.Data(stream, frame.data(), bytes, end);
  }

  private void receive(Http2Stream stream, Frame.Data frame) throws Http2Exception {
    int bytes = frame.flowControlled();
    Inflow inflow = stream.inflow;
    if (inflow == null && !(frame.endStream() && bytes <= shared.firstWindow())) {
      inflow = new Inflow(stream.id(), shared.firstWindow(), shared.limits.maxStreamWindow());
      stream.inflow = inflow;
    }
    if (inflow != null) {
      inflow.received(bytes);
    }
    int content = frame.data().remaining();
    if (!stream.headReceived) {
      throw malformed(stream, "DATA before the head of the response (RFC 9113 §8.1)");
    }
    if (stream.noContent && content > 0) {
      throw malformed(stream, "DATA in a response that has no content (RFC 9113 §8.1.1)");
    }
    stream.received += content;
    checkLength(stream, frame.endStream());
  }

  /** RFC 9113 §8.1.1: a message whose Content-Length is not that of its DATA is malformed. */
  static void checkLength(Http2Stream stream, boolean end) throws Http2Exception {
    long announced = stream.announced;
    if (announced != Http2Stream.NO_LENGTH
        && !stream.noContent
        && (stream.received > announced || (end && stream.received != announced))) {
      throw Http2Exception.malformed(
          stream.id(),
          MalformedMessageException.Kind.FRAMING,
          "Content-Length is " + announced + ", but " + stream.received + " bytes came"
              + (end ? "" : " already") + " (RFC 9113 §8.1.1)");
    }
  }

  static Http2Exception malformed(Http2Stream stream, String why) {
    return Http2Exception.malformed(stream.id(), MalformedMessageException.Kind.OTHER, why);
  }

  /** The peer has sent its end; false when the stream was closed before. */
  boolean ended(Http2Stream stream) {
    StreamState after = stream.step(Step.RECEIVE_END);
    if (after == StreamState.CLOSED) {
      shared.closed(stream);
      pending.add(Kind.ENDED, stream, 0);
    }
    return after != null;
  }

  // ---- RST_STREAM

  @Nullable
  Http2Event reset(Frame.RstStream frame) throws Http2Exception {
    Http2Stream stream = find(frame.streamId());
    if (stream == null) {
      checkNotIdle(frame.streamId(), "RST_STREAM");
      return null;
    }
    if (!stream.reset(true)) {
      return null; // RFC 9113 §5.4.2: never answered with another.
    }
    shared.closed(stream);
    pending.add(Kind.RESET_BY_PEER, stream, 0);
    return new Http2Event.Reset(stream, frame.error());
  }

  // ---- credit and settings

  @Nullable
  Http2Event windowUpdate(Frame.WindowUpdate frame) throws Http2Exception {
    int id = frame.streamId();
    Http2Stream stream = id == 0 ? null : find(id);
    if (stream != null) {
      stream.credited += frame.increment();
      Outflow.opened(id, window(stream, peer));
    } else if (id == 0) {
      credited += frame.increment();
      int initial = Settings.INITIAL.initialWindowSize();
      Outflow.opened(0, initial + credited - shared.outflow.sentInAll());
    } else {
      checkNotIdle(id, "WINDOW_UPDATE");
      return null;
    }
    pending.add(Kind.WINDOW_UPDATE, stream, frame.increment());
    return null;
  }

  /**
   * What may be sent on a stream when all that has come is settled. What is sent meanwhile only
   * makes it less, so a peer that passes the bound here has passed it for certain.
   */
  private static long window(Http2Stream stream, Settings peer) {
    Outflow outflow = stream.outflow;
    long sent = outflow == null ? 0 : outflow.sentInAll();
    return peer.initialWindowSize() + stream.credited - sent;
  }

  void peerSettings(Settings now) throws Http2Exception {
    if (now.initialWindowSize() > peer.initialWindowSize()) {
      for (Http2Stream stream : shared.table.streams()) {
        Outflow.moved(stream.id(), now.initialWindowSize(), window(stream, now));
      }
    }
    peer = now;
  }

  // ---- what a stream's state does not allow

  private void checkNotIdle(int id, String frame) throws Http2Exception {
    if (shared.isIdle(id)) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR, frame + " on the idle stream " + id + " (RFC 9113 §5.1)");
    }
  }

  /**
   * Judges HEADERS or DATA on a stream whose peer may send neither. Returns when they are to be
   * ignored.
   */
  void refuse(int id, @Nullable Http2Stream stream, String frame) throws Http2Exception {
    if (stream != null && stream.state() == StreamState.HALF_CLOSED_REMOTE) {
      throw Http2Exception.stream(
          id, STREAM_CLOSED, frame + " after the end of stream " + id + " (RFC 9113 §5.1)");
    }
    if (stream == null) {
      checkNotIdle(id, frame);
      if (shared.isLeftOut(id)) {
        return;
      }
    }
    switch (how(id, stream)) {
      case RESET_BY_US -> {} // It was on its way when we reset the stream.
      case RESET_BY_PEER ->
        throw Http2Exception.stream(
            id, STREAM_CLOSED, frame + " after RST_STREAM on stream " + id + " (RFC 9113 §5.1)");
      case NOT_RESET ->
        throw Http2Exception.connection(
            STREAM_CLOSED, frame + " on the closed stream " + id + " (RFC 9113 §5.1)");
    }
  }

  private How how(int id, @Nullable Http2Stream stream) {
    if (pending.wasReset(id)) {
      return How.RESET_BY_US;
    }
    return stream != null ? stream.closing() : shared.closed.find(id);
  }

  /**
   * Resets the stream that a rule was broken on.
   *
   * @param provoked whether it counts among the streams that the peer makes us reset
   * @param requestLine of the request that was to open the stream; null if it was open
   * @return the event for the driver, or null if we closed the stream before
   * @throws Http2Exception when the stream is idle, so that it cannot be reset (RFC 9113 §6.4), or
   *     the peer makes us reset too many
   */
  @Nullable
  Http2Event fail(Http2Exception e, boolean provoked, @Nullable String requestLine)
      throws Http2Exception {
    int id = e.streamId();
    ErrorCode code = e.code();
    String message = String.valueOf(e.getMessage());
    Http2Stream stream = find(id);
    if (stream == null && shared.isIdle(id)) {
      throw Http2Exception.connection(code, message);
    }
    if (shared.isLeftOut(id)) {
      return null;
    }
    if (stream != null && stream.reset(false)) {
      shared.closed(stream);
    } else if ((code == ErrorCode.FRAME_SIZE_ERROR || code == STREAM_CLOSED)
        && how(id, stream) == How.NOT_RESET) {
      // RFC 9113 §4.2 and §5.1 ask for the code, and the stream can carry it no more: both sides
      // had ended it, ours perhaps in this moment.
      throw Http2Exception.connection(code, message);
    } else if (id != opening && how(id, stream) != How.RESET_BY_PEER) {
      return null; // RFC 9113 §5.1: nothing is sent on a stream that has ended.
    }
    opening = 0;
    if (provoked) {
      flood.resetOwed(shared.now);
    }
    pending.add(Kind.RESET_BY_US, stream, PendingFrames.pair(id, code.code()));
    return new Http2Event.StreamError(id, stream, code, e.kind(), message, requestLine);
  }
}
