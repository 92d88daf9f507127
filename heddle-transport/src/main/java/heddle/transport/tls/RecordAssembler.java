package heddle.transport.tls;

import heddle.transport.tls.Records.NotTlsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into records. A record that lies whole in the input is handed on in place;
 * only one that is cut is copied, and only until its rest has come. Not safe for use by many
 * threads.
 */
final class RecordAssembler {
  private static final byte[] NOTHING = {};

  /** What waits: from the beginning of a record, often the only one. */
  private byte[] held = NOTHING;

  private int from;
  private int to;

  /** Whether anything waits for more. */
  boolean isEmpty() {
    return from == to;
  }

  /** How many bytes wait. */
  int size() {
    return to - from;
  }

  /** Takes all that remains in the input. */
  void hold(ByteBuffer in) {
    copy(in, in.remaining());
  }

  /**
   * The next whole record. It may be decrypted in place, and is valid until the input changes.
   *
   * @return null when there is none: what remained of the input is held
   * @throws NotTlsException when what begins here is no record
   */
  @Nullable
  ByteBuffer next(ByteBuffer in) throws NotTlsException {
    if (from == to && in.remaining() >= Records.HEADER_BYTES) {
      int length = Records.length(in);
      if (in.remaining() >= length) {
        ByteBuffer record = in.slice(in.position(), length);
        in.position(in.position() + length);
        return record;
      }
      reserve(length);
    }
    if (!fill(Records.HEADER_BYTES, in)) {
      return null;
    }
    int length = Records.length(ByteBuffer.wrap(held, from, to - from));
    if (!fill(length, in)) {
      return null;
    }
    ByteBuffer record = ByteBuffer.wrap(held, from, length).slice();
    from += length;
    if (from == to) {
      // An idle connection keeps nothing.
      held = NOTHING;
      from = 0;
      to = 0;
    }
    return record;
  }

  /** Gives all that waits to another, which holds nothing yet. */
  void moveTo(RecordAssembler other) {
    other.held = held;
    other.from = from;
    other.to = to;
    held = NOTHING;
    from = 0;
    to = 0;
  }

  /** Takes input until {@code count} bytes are held; returns false if there is too little of it. */
  private boolean fill(int count, ByteBuffer in) {
    int missing = count - (to - from);
    if (missing > 0) {
      reserve(missing);
      copy(in, Math.min(missing, in.remaining()));
    }
    return to - from >= count;
  }

  private void copy(ByteBuffer in, int count) {
    reserve(count);
    in.get(held, to, count);
    to += count;
  }

  /** Never moves within the array: a record that was handed out may still be in it. */
  private void reserve(int more) {
    if (held.length - to < more) {
      held = Arrays.copyOfRange(held, from, to + more);
      to -= from;
      from = 0;
    }
  }
}
