package heddle.codec.http2;

import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.FrameHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written: control frames, which overtake, and behind them all others in order,
 * with payloads that are referenced between them. Guarded by the driver's lock.
 */
final class OutputQueue {
  /** Payloads below this are copied: a separate buffer costs more. */
  static final int LEAST_REFERENCED = 4_096;

  private static final int FIRST_CAPACITY = 256;

  /** A buffer that has grown beyond this is not used again. */
  private static final int MOST_KEPT = 32 * 1_024;

  /** What an idle connection may hold. */
  private static final int MOST_KEPT_IDLE = 1_024;

  /** Placeholder until a buffer is needed; nothing is ever appended to it. */
  private static final HpackOutput NONE = new HpackOutput(0);

  private HpackOutput control = NONE;
  private HpackOutput ordered = NONE;

  /** Payloads, and how many bytes of {@link #ordered} go before each. */
  private final List<ByteBuffer> payloads = new ArrayList<>(0);

  private int[] payloadAt = {};

  private int payloadBytes;

  private int controlFrames;
  private int controlFramesTaken;

  /** Batches taken and not given back; usually one. */
  private final ArrayDeque<Taken> taken = new ArrayDeque<>(2);

  /** Bytes of memory that all of these take. */
  private int takenBytes;

  /** A buffer that waits to be used again. */
  private HpackOutput spare = NONE;

  /** A batch that is being written. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity, as the caller gives it back
  private record Taken(
      ByteBuffer[] output,
      HpackOutput control,
      HpackOutput ordered,
      int controlFrames,
      int bytes) {}

  /** Number of this batch; what was queued in one is taken together. */
  long batch = 1;

  /** Where a control frame is to be appended. */
  HpackOutput control() {
    controlFrames++;
    control = control == NONE ? fresh() : control;
    return control;
  }

  /** Where a frame is to be appended that must keep its place. */
  HpackOutput ordered() {
    ordered = ordered == NONE ? fresh() : ordered;
    return ordered;
  }

  private HpackOutput fresh() {
    HpackOutput kept = spare;
    spare = NONE;
    return kept != NONE ? kept : new HpackOutput(FIRST_CAPACITY);
  }

  /** Appends a payload behind the frame header that was appended last. */
  void payload(ByteBuffer payload) {
    if (payload.remaining() < LEAST_REFERENCED) {
      FrameHeader.append(ordered, payload);
      return;
    }
    if (payloads.size() == payloadAt.length) {
      payloadAt = Arrays.copyOf(payloadAt, Math.max(8, 2 * payloadAt.length));
    }
    payloadAt[payloads.size()] = ordered.length();
    payloads.add(payload);
    payloadBytes += payload.remaining();
  }

  boolean isEmpty() {
    return control.length() == 0 && ordered.length() == 0;
  }

  /** Control frames that were not written: waiting, or taken and not given back. */
  int controlFrames() {
    return controlFrames + controlFramesTaken;
  }

  /** Bytes that were not written, without payloads that are referenced. */
  int bytes() {
    int bytes = control.length() + ordered.length();
    for (Taken each : taken) {
      bytes += each.control.length() + each.ordered.length();
    }
    return bytes;
  }

  /** Bytes of memory that everything takes which was not written, spare memory included. */
  int heldBytes() {
    return queuedBytes() + takenBytes + spare.array().length;
  }

  private int queuedBytes() {
    return control.array().length + ordered.array().length + payloadBytes;
  }

  ByteBuffer @Nullable [] take() {
    if (isEmpty()) {
      return null;
    }
    int first = control.length() > 0 ? 1 : 0;
    int from = payloads.isEmpty() ? 0 : payloadAt[payloads.size() - 1];
    int last = ordered.length() > from ? 1 : 0;
    ByteBuffer[] out = new ByteBuffer[first + 2 * payloads.size() + last];
    if (first == 1) {
      out[0] = ByteBuffer.wrap(control.array(), 0, control.length());
    }
    int i = first;
    int start = 0;
    for (int p = 0; p < payloads.size(); p++) {
      out[i++] = ByteBuffer.wrap(ordered.array(), start, payloadAt[p] - start);
      out[i++] = payloads.get(p);
      start = payloadAt[p];
    }
    if (last == 1) {
      out[i] = ByteBuffer.wrap(ordered.array(), start, ordered.length() - start);
    }
    int bytes = queuedBytes();
    taken.add(new Taken(out, control, ordered, controlFrames, bytes));
    takenBytes += bytes;
    payloadBytes = 0;
    control = NONE;
    ordered = NONE;
    payloads.clear();
    if (payloadAt.length > 64) {
      payloadAt = new int[0];
    }
    controlFramesTaken += controlFrames;
    controlFrames = 0;
    batch++;
    return out;
  }

  /** Gives the buffers of a batch back. */
  void recycle(ByteBuffer[] written, boolean idle) {
    for (Taken each : taken) {
      if (each.output == written) {
        taken.remove(each);
        controlFramesTaken -= each.controlFrames;
        takenBytes -= each.bytes;
        keep(each.control);
        keep(each.ordered);
        break;
      }
    }
    if (idle) {
      trim();
    }
  }

  private void keep(HpackOutput owner) {
    int size = owner.array().length;
    owner.reset();
    if (size <= MOST_KEPT && size > spare.array().length) {
      spare = owner;
    }
  }

  /** Releases what an idle connection should not hold. */
  void trim() {
    if (spare.array().length > MOST_KEPT_IDLE) {
      spare = NONE;
    }
  }
}
