package heddle.codec.http2;

import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;

import heddle.codec.Role;
import heddle.codec.http2.PendingFrames.Kind;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameReader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
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
    shared.now = nowNanos;
    try {
      preface(in);
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

  /**
   * Takes the request of HTTP/1.1 that has upgraded the connection.
   *
   * @param peer the client's settings
   * @param head HEADERS of stream 1, encoded without the client's HPACK table and so decoded
   *     without it
   */
  @Nullable
  Http2Event upgraded(Settings peer, ByteBuffer head, long nowNanos) throws Http2Exception {
    shared.now = nowNanos;
    streams.peerSettings(peer);
    HeadReceiver apart = new HeadReceiver(shared, pending, flood, streams);
    FrameReader frames = new FrameReader(shared.limits.maxFrameBytes(), true);
    try {
      Http2Event event = null;
      for (Frame frame = frames.next(head); frame != null; frame = frames.next(head)) {
        event = frame instanceof Frame.Headers first
            ? apart.headers(first)
            : apart.continuation((Frame.Continuation) frame);
      }
      return event;
    } catch (Http2Exception e) {
      if (e.connectionError()) {
        throw broken(e);
      }
      return streams.fail(e, false, apart.requestLine());
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
      if (frame instanceof Frame.WindowUpdate) {
        flood.updatesEarned(shared.updatesEarned());
      }
      flood.check(frame, nowNanos);
      FloodGuard.checkQueued(shared.queuedControlFrames + pending.size, shared.limits);
      if (!settingsReceived) {
        checkFirst(frame);
      }
      return handle(frame);
    } catch (Http2Exception e) {
      if (e.connectionError()) {
        throw e;
      }
      boolean opening = e.streamId() == streams.opening;
      return streams.fail(e, true, opening ? heads.requestLine() : null);
    }
  }

  /** Refuses a request; {@code provoked} if the peer makes us do so. */
  void refuse(Http2Stream stream, boolean provoked) throws Http2Exception {
    stream.headUnused(shared.heads);
    try {
      streams.fail(
          Http2Exception.stream(
              stream.id(), ErrorCode.REFUSED_STREAM, "no request is taken now (RFC 9113 §8.7)"),
          provoked,
          null);
    } catch (Http2Exception e) {
      throw broken(e);
    }
  }

  private @Nullable Http2Event handle(Frame frame) throws Http2Exception {
    return switch (frame) {
      case Frame.Data data -> streams.data(data);
      case Frame.Headers headers -> heads.headers(headers);
      case Frame.Continuation continuation -> heads.continuation(continuation);
      case Frame.RstStream reset -> streams.reset(reset);
      case Frame.WindowUpdate update -> streams.windowUpdate(update);
      case Frame.Settings settings -> settings(settings);
      case Frame.Ping ping -> ping(ping);
      case Frame.GoAway goAway -> goAway(goAway);
      case Frame.PushPromise promise ->
        throw Http2Exception.connection(
            PROTOCOL_ERROR,
            shared.role == Role.CLIENT
                ? "PUSH_PROMISE, though our SETTINGS forbid pushes (RFC 9113 §8.4)"
                : "PUSH_PROMISE from a client (RFC 9113 §8.4)");
      case Frame.PriorityUpdate update -> {
        if (shared.role == Role.CLIENT) {
          throw Http2Exception.connection(
              PROTOCOL_ERROR, "PRIORITY_UPDATE from a server (RFC 9218 §7.1)");
        }
        yield null;
      }
      // RFC 9113 §5.3.2: deprecated, may come in any state. §5.5: unknown types are ignored.
      case Frame.Priority priority -> null;
      case Frame.Unknown unknown -> null;
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
    if (!(frame instanceof Frame.Settings settings) || settings.ack()) {
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

  private @Nullable Http2Event settings(Frame.Settings frame) throws Http2Exception {
    if (frame.ack()) {
      shared.settingsAcknowledged = true;
      heads.settingsAcknowledged();
      return null;
    }
    Role owner = shared.role == Role.CLIENT ? Role.SERVER : Role.CLIENT;
    Settings now = streams.peer.with(frame, owner);
    streams.peerSettings(now);
    pending.add(Kind.SETTINGS, now, 0);
    return new Http2Event.SettingsChanged(now);
  }

  private @Nullable Http2Event ping(Frame.Ping frame) {
    if (!frame.ack()) {
      pending.add(Kind.PING, null, frame.data());
    } else if (frame.data() == SharedState.MEASURE) {
      pending.add(Kind.MEASURED, null, shared.now);
    } else if (frame.data() == SharedState.DRAIN) {
      pending.add(Kind.DRAINED, null, 0);
    } else {
      return new Http2Event.PingAck(frame.data());
    }
    return null;
  }

  private Http2Event goAway(Frame.GoAway frame) throws Http2Exception {
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
}
