package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.FrameHeader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.RstStreamFrame;
import heddle.codec.http2.frame.Settings;
import heddle.codec.http2.frame.SettingsFrame;
import heddle.http.Headers;
import heddle.http.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the receiving half has learnt over to the sending half, in order of arrival. Runs on
 * the loop, under the driver's lock.
 */
final class Settlement {
  private final SharedState shared;
  private final Owed owed;
  private final FrameSender sender;
  private boolean capacityChanged;

  Settlement(SharedState shared, Owed owed, FrameSender sender) {
    this.shared = shared;
    this.owed = owed;
    this.sender = sender;
  }

  void settle() {
    for (int i = 0; i < owed.size(); i++) {
      apply(owed.kind(i), owed.subject(i), owed.value(i));
    }
    owed.clear();
    shared.inflow.consumed(owed.takeUnread());
    sender.credit(0, shared.inflow);
    sender.turns.grant();
    if (shared.open() == 0) {
      sender.output.trim();
    }
  }

  /** Whether streams have ended or limits have changed since it was asked last. */
  boolean takeCapacityChanged() {
    boolean changed = capacityChanged;
    capacityChanged = false;
    return changed;
  }

  private void apply(Owed.Kind kind, @Nullable Object subject, long value) {
    switch (kind) {
      case SETTINGS -> settings((Settings) Objects.requireNonNull(subject));
      case CREDIT -> credit((Http2Stream) subject, (int) value);
      case PING -> sender.ping(true, value);
      case MEASURED -> sender.measured(value);
      case DRAINED -> drained();
      case OPENED -> opened((Http2Stream) Objects.requireNonNull(subject));
      case ENDED -> ended((Http2Stream) Objects.requireNonNull(subject));
      case RESET_BY_PEER -> {
        Http2Stream stream = (Http2Stream) Objects.requireNonNull(subject);
        shared.closed.remember(stream.id(), true);
        ended(stream);
      }
      case RESET_BY_US -> resetByUs((Http2Stream) subject, (int) (value >>> 32), (int) value);
      case TOO_LARGE -> tooLarge((int) (value >>> 32), (int) value == 1);
      case GOAWAY_RECEIVED -> goAwayReceived((int) value);
      case BROKEN -> broken((Http2Exception) Objects.requireNonNull(subject));
    }
  }

  private void settings(Settings now) {
    Settings before = sender.peer;
    sender.peer = now;
    sender.maxStreams = now.maxConcurrentStreams();
    sender.heads.settings(now);
    if (now.initialWindowSize() != before.initialWindowSize()) {
      for (Http2Stream stream : shared.table.streams()) {
        Outflow outflow = stream.outflow;
        if (outflow != null) {
          try {
            outflow.initialWindow(before.initialWindowSize(), now.initialWindowSize());
          } catch (Http2Exception e) {
            throw unexpected(e);
          }
          sender.turns.windowMoved(stream, outflow);
        }
      }
    }
    capacityChanged = true;
    if (!sender.broken) {
      // Behind all that was sent under the old settings: it must not overtake that (§6.5.3).
      SettingsFrame.ACKNOWLEDGEMENT.encode(sender.output.ordered());
    }
  }

  private void credit(@Nullable Http2Stream stream, int increment) {
    Outflow outflow = stream == null ? shared.outflow : stream.outflow;
    if (outflow == null || (stream != null && !stream.state().maySend())) {
      return;
    }
    try {
      outflow.credit(increment);
    } catch (Http2Exception e) {
      throw unexpected(e);
    }
    if (stream != null) {
      sender.turns.windowMoved(stream, outflow);
    }
  }

  /** Cannot happen: the receiving half has checked the credit against what was sent. */
  private static IllegalStateException unexpected(Http2Exception e) {
    return new IllegalStateException("a window passed its bound unseen", e);
  }

  private void drained() {
    if (sender.draining) {
      sender.draining = false;
      sender.goAway(ErrorCode.NO_ERROR, "");
    }
  }

  /** A stream that has ended in the batch that opened it never enters the table. */
  private void opened(Http2Stream stream) {
    if (stream.state() != StreamState.CLOSED) {
      shared.table.add(stream);
    }
  }

  private void ended(Http2Stream stream) {
    sender.forget(stream);
    capacityChanged = true;
  }

  private void resetByUs(@Nullable Http2Stream stream, int id, int code) {
    shared.closed.remember(id, false);
    sender.rst(id, stream, code);
    if (stream != null) {
      ended(stream);
    }
  }

  /** RFC 6585 §5: the answer to a request whose fields are too large; no handler has seen it. */
  private void tooLarge(int id, boolean complete) {
    shared.closed.remember(id, false);
    if (sender.broken) {
      return;
    }
    HpackOutput out = sender.output.ordered();
    int at = FrameHeader.reserve(out);
    sender.heads.response(out, Status.REQUEST_HEADER_FIELDS_TOO_LARGE, Headers.empty());
    HeadSender.frame(out, at, id, true, sender.peer.maxFrameSize());
    if (!complete) {
      // RFC 9113 §8.1: the response is complete, and the rest of the request is not wanted.
      RstStreamFrame.encode(out, id, ErrorCode.NO_ERROR.code());
    }
  }

  /** RFC 9113 §6.8: streams above the last one were not processed. */
  private void goAwayReceived(int last) {
    sender.closing = true;
    capacityChanged = true;
    if (shared.role != Role.CLIENT) {
      return;
    }
    for (Http2Stream stream : shared.table.streams()) {
      if (stream.id() > last && stream.reset(true)) {
        shared.closed(stream);
        shared.closed.remember(stream.id(), false);
        sender.forget(stream);
        sender.refused.add(stream);
      }
    }
  }

  private void broken(Http2Exception e) {
    sender.goAway(e.code(), String.valueOf(e.getMessage()));
    sender.broken = true;
    capacityChanged = true;
  }
}
