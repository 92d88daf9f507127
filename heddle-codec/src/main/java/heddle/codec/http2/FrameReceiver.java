package heddle.codec.http2;

import static heddle.codec.http2.frame.ErrorCode.FLOW_CONTROL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;

import heddle.codec.Role;
import heddle.codec.http2.PendingFrames.Kind;
import heddle.codec.http2.frame.ContinuationFrame;
import heddle.codec.http2.frame.DataFrame;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameReader;
import heddle.codec.http2.frame.GoAwayFrame;
import heddle.codec.http2.frame.HeadersFrame;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.PingFrame;
import heddle.codec.http2.frame.PriorityFrame;
import heddle.codec.http2.frame.PriorityUpdateFrame;
import heddle.codec.http2.frame.PushPromiseFrame;
import heddle.codec.http2.frame.RstStreamFrame;
import heddle.codec.http2.frame.Settings;
import heddle.codec.http2.frame.SettingsFrame;
import heddle.codec.http2.frame.UnknownFrame;
import heddle.codec.http2.frame.WindowUpdateFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The receiving half of a session: frames in, events out. Belongs to the loop. */
final class FrameReceiver {
  /** The client's connection preface, RFC 9113 §3.4. */
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] HTTP_1 = "HTTP/1".getBytes(StandardCharsets.US_ASCII);

  private final SharedState shared;
  private final PendingFrames pending;
  private final FrameReader reader;
  private final FloodGuard flood;
  private final StreamReceiver streams;
  private final HeadReceiver heads;

  /** Bytes of the preface that have come; a client expects none. */
  private int prefaceBytes;

  private boolean settingsReceived;
  private boolean failed;

  /** The peer's settings as its frames have said them; they may not be settled yet. */
  private Settings peer = Settings.INITIAL;

  /** Credit for the connection that the peer gave in all. */
  private long credited;

  /** The last stream that a GOAWAY has named. */
  private int goAwayLast = Integer.MAX_VALUE;

  FrameReceiver(SharedState shared, PendingFrames pending) {
    this.shared = shared;
    this.pending = pending;
    reader = new FrameReader(shared.limits.maxFrameBytes(), true);
    flood = new FloodGuard(shared.limits);
    streams = new StreamReceiver(shared, pending, flood);
    heads = new HeadReceiver(shared, pending, flood, streams);
    prefaceBytes = shared.role == Role.CLIENT ? PREFACE.length : 0;
  }

  @Nullable
  Http2Event next(ByteBuffer in, long nowNanos) throws Http2Exception {
    if (failed) {
      throw new IllegalStateException("the peer broke the protocol: close the connection");
    }
    shared.now(nowNanos);
    try {
      if (prefaceBytes < PREFACE.length) {
        preface(in);
      }
      while (in.hasRemaining()) {
        Http2Event event = one(in, nowNanos);
        if (event != null) {
          return event;
        }
      }
      return null;
    } catch (Http2Exception e) {
      throw broken(e);
    }
  }

  /** Stops reading, and queues the reason for the peer. */
  private Http2Exception broken(Http2Exception violation) {
    failed = true;
    pending.add(Kind.BROKEN, violation, 0);
    return violation;
  }

  /** Takes one frame, or the part of it that is there. */
  private @Nullable Http2Event one(ByteBuffer in, long nowNanos) throws Http2Exception {
    try {
      if (!settingsReceived) {
        checkSpeaksHttp2(in);
      }
      Frame frame = reader.next(in);
      if (frame == null) {
        return null;
      }
      switch (frame) {
        case DataFrame data -> flood.data(data, reader.contentBegun(), nowNanos);
        case WindowUpdateFrame _ -> flood.windowUpdate(shared.updatesEarned(), nowNanos);
        default -> flood.check(frame, nowNanos);
      }
      FloodGuard.checkQueued(shared.queuedControlFrames() + pending.size(), shared.limits);
      if (!settingsReceived) {
        checkFirst(frame);
      }
      return handle(frame);
    } catch (Http2Exception e) {
      if (e.connectionError()) {
        throw e;
      }
      return streams.fail(e);
    }
  }

  /**
   * Refuses a request.
   *
   * @param provoked whether the peer makes us do so
   */
  void refuse(Http2Stream stream, boolean provoked) throws Http2Exception {
    stream.headUnused(shared.heads);
    try {
      streams.fail(
          Http2Exception.stream(
              stream.id(), ErrorCode.REFUSED_STREAM, "no request is taken now (RFC 9113 §8.7)"),
          provoked);
    } catch (Http2Exception e) {
      throw broken(e);
    }
  }

  private @Nullable Http2Event handle(Frame frame) throws Http2Exception {
    return switch (frame) {
      case DataFrame data -> streams.data(data);
      case HeadersFrame headers -> heads.headers(headers);
      case ContinuationFrame continuation -> heads.continuation(continuation);
      case RstStreamFrame reset -> streams.reset(reset);
      case WindowUpdateFrame update -> windowUpdate(update);
      case SettingsFrame settings -> settings(settings);
      case PingFrame ping -> ping(ping);
      case GoAwayFrame goAway -> goAway(goAway);
      case PushPromiseFrame promise ->
        throw Http2Exception.connection(
            PROTOCOL_ERROR,
            shared.role == Role.CLIENT
                ? "PUSH_PROMISE, though our SETTINGS forbid pushes (RFC 9113 §8.4)"
                : "PUSH_PROMISE from a client (RFC 9113 §8.4)");
      case PriorityUpdateFrame update -> priorityUpdate();
      // RFC 9113 §5.3.2: deprecated, may come in any state. §5.5: unknown types are ignored.
      case PriorityFrame priority -> null;
      case UnknownFrame unknown -> null;
    };
  }

  // ---- the beginning and the end of a connection

  /** RFC 9113 §3.4: the client's first bytes are always the same. */
  private void preface(ByteBuffer in) throws Http2Exception {
    while (prefaceBytes < PREFACE.length && in.hasRemaining()) {
      if (in.get() != PREFACE[prefaceBytes]) {
        throw Http2Exception.connection(
            PROTOCOL_ERROR, "byte " + prefaceBytes + " differs from the preface (RFC 9113 §3.4)");
      }
      prefaceBytes++;
    }
  }

  /** A server that knows HTTP/1.1 only answers the preface with an error that is no frame. */
  private void checkSpeaksHttp2(ByteBuffer in) throws Http2Exception {
    if (shared.role == Role.CLIENT
        && !reader.isMidFrame()
        && in.mismatch(ByteBuffer.wrap(HTTP_1)) == HTTP_1.length) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR, "the server does not speak HTTP/2: it answered in HTTP/1");
    }
  }

  /** RFC 9113 §3.4: SETTINGS come first. */
  private void checkFirst(Frame frame) throws Http2Exception {
    if (!(frame instanceof SettingsFrame settings) || settings.ack()) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR, "the first frame is not SETTINGS (RFC 9113 §3.4)");
    }
    settingsReceived = true;
  }

  boolean isInHead() {
    return prefaceBytes < PREFACE.length || reader.isInFieldBlock();
  }

  int heldBytes() {
    return reader.heldBytes() + heads.heldBytes();
  }

  void abandon() {
    failed = true;
    reader.abandon();
    heads.abandon();
  }

  void endOfInput() throws Http2Exception {
    if (!failed && (reader.isMidFrame() || prefaceBytes < PREFACE.length)) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR,
          prefaceBytes < PREFACE.length
              ? "the peer closed before its connection preface was complete"
              : "the peer closed in the middle of a frame or a field block");
    }
  }

  // ---- frames of the connection

  private @Nullable Http2Event settings(SettingsFrame frame) throws Http2Exception {
    if (frame.ack()) {
      shared.settingsAcknowledged();
      heads.settingsAcknowledged();
      return null;
    }
    Settings before = peer;
    Role owner = shared.role == Role.CLIENT ? Role.SERVER : Role.CLIENT;
    Settings now = before.with(frame, owner);
    if (before.enableConnectProtocol() && !now.enableConnectProtocol()) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR, "SETTINGS_ENABLE_CONNECT_PROTOCOL went from 1 to 0 (RFC 8441 §3)");
    }
    streams.peerSettings(now);
    peer = now;
    pending.add(Kind.SETTINGS, now, 0);
    return new Http2Event.SettingsChanged(now);
  }

  private @Nullable Http2Event windowUpdate(WindowUpdateFrame frame) throws Http2Exception {
    if (frame.streamId() != 0) {
      streams.windowUpdate(frame);
      return null;
    }
    credited += frame.increment();
    long window = Settings.INITIAL.initialWindowSize() + credited - shared.outflow.sentInAll();
    if (window > Integer.MAX_VALUE) {
      throw Http2Exception.connection(
          FLOW_CONTROL_ERROR,
          "WINDOW_UPDATE opens the connection's window to " + window + " bytes, at most 2^31-1"
              + " (RFC 9113 §6.9.1)");
    }
    pending.add(Kind.WINDOW_UPDATE, null, frame.increment());
    return null;
  }

  private @Nullable Http2Event ping(PingFrame frame) {
    if (!frame.ack()) {
      pending.add(Kind.PING, null, frame.data());
      return null;
    }
    if (frame.data() == SharedState.MEASURE) {
      pending.add(Kind.MEASURED, null, shared.now());
      return null;
    }
    if (frame.data() == SharedState.DRAIN) {
      pending.add(Kind.DRAINED, null, 0);
      return null;
    }
    return new Http2Event.PingAck(frame.data());
  }

  private Http2Event goAway(GoAwayFrame frame) throws Http2Exception {
    if (frame.lastStreamId() > goAwayLast) {
      throw Http2Exception.connection(
          PROTOCOL_ERROR,
          "GOAWAY names stream " + frame.lastStreamId() + " after one that named " + goAwayLast
              + " (RFC 9113 §6.8)");
    }
    goAwayLast = frame.lastStreamId();
    pending.add(Kind.GOAWAY_RECEIVED, null, goAwayLast);
    return new Http2Event.GoAway(goAwayLast, frame.error(), FrameSender.visible(frame.debugText()));
  }

  private @Nullable Http2Event priorityUpdate() throws Http2Exception {
    if (shared.role == Role.CLIENT) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE from a server (RFC 9218 §7.1)");
    }
    return null;
  }
}
