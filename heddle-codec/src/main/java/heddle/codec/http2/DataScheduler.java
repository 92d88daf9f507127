package heddle.codec.http2;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Decides which stream may queue DATA: streams that found no room in the output or in the
 * connection's window wait in line, and each is granted a turn as soon as there is room. No stream
 * overtakes those in line. Guarded by the driver's lock.
 */
final class DataScheduler {
  /** Bytes of DATA that may wait to be written, unless the driver wants it otherwise. */
  static final int ROOM = 128 * 1_024;

  /**
   * Bytes of a turn when others wait: two frames, as a rule. Each turn wakes a thread, which costs
   * more than to copy one frame; more than two make the others wait longer and gain nothing.
   */
  private static final int TURN = 32_768;

  /**
   * Bytes of the least turn, one frame, as long as more room will come by itself. A smaller rest is
   * left alone until then: it would be granted again as small as it is taken, over and over, while
   * those that hold the rest of the room have yet to run (what RFC 1122 §4.2.3.4 avoids in TCP).
   */
  private static final int LEAST_TURN = 16_384;

  /** What a stream waits for. */
  enum State {
    /** Nothing. */
    NONE,
    /** It waits for its own window. */
    BLOCKED,
    /** It waits for room or the connection's window. */
    QUEUED,
    /** It was granted its turn; its writer was notified or will be. */
    GRANTED
  }

  private final Outflow connection;

  /** Bytes of DATA that may wait now. */
  private int room = ROOM;

  /** Bytes of DATA in the output. */
  private int queued;

  /** Bytes that were granted and not taken yet. */
  private int granted;

  private final ArrayDeque<Http2Stream> line = new ArrayDeque<>(0);
  private final ArrayDeque<Http2Stream> writable = new ArrayDeque<>(0);

  DataScheduler(Outflow connection) {
    this.connection = connection;
  }

  /** From now on so much may wait; at least one frame, so that the line moves. */
  void room(int bytes) {
    room = Math.max(LEAST_TURN, bytes);
  }

  /**
   * How many of {@code wanted} bytes the stream may queue now; if 0, {@link #pollWritable} returns
   * the stream later.
   */
  int take(Http2Stream stream, Outflow outflow, int wanted) {
    int own = stream.granted;
    granted -= own;
    stream.granted = 0;
    if (stream.sending == State.GRANTED) {
      writable.remove(stream);
    } else if (stream.sending == State.QUEUED) {
      return 0; // It has not been granted a turn.
    }
    stream.sending = State.NONE;
    if (outflow.isShut()) {
      stream.sending = State.BLOCKED;
      grant(); // what it had
      return 0;
    }
    int free = free();
    boolean alone = line.isEmpty() && granted == 0;
    int mine = alone ? free : own > 0 ? Math.min(free, TURN) : 0;
    int bytes = Math.min(Math.min(wanted, outflow.available()), mine);
    if (bytes <= 0) {
      stream.sending = State.QUEUED;
      line.add(stream);
      return 0;
    }
    outflow.sent(bytes);
    if (bytes == wanted && bytes < FloodGuard.BYTES_PER_UPDATE) {
      connection.countShortFrame();
    }
    connection.sent(bytes);
    queued += bytes;
    return bytes;
  }

  /** Bytes that are granted to no stream. */
  private int free() {
    return Math.min(room - queued, Math.max(0, connection.available())) - granted;
  }

  /** Grants turns to waiting streams, as far as there is room. */
  void grant() {
    while (!line.isEmpty()) {
      int turn = Math.min(TURN, free());
      // A small rest waits: what is queued or granted makes more room by itself.
      if (turn <= 0 || (turn < LEAST_TURN && (queued > 0 || granted > 0))) {
        return;
      }
      Http2Stream stream = line.remove();
      stream.sending = State.GRANTED;
      stream.granted = turn;
      granted += turn;
      writable.add(stream);
    }
  }

  /** The output was taken: there is room again. */
  void outputTaken() {
    queued = 0;
    grant();
  }

  /** The stream's own window has moved. */
  void windowMoved(Http2Stream stream, Outflow outflow) {
    if (stream.sending == State.BLOCKED && !outflow.isShut()) {
      stream.sending = State.GRANTED; // of nothing: it takes what it finds
      writable.add(stream);
    } else if (stream.sending == State.GRANTED && outflow.isShut()) {
      giveBack(stream); // It cannot use its turn any more: others take it.
      stream.sending = State.BLOCKED;
    }
  }

  private void giveBack(Http2Stream stream) {
    writable.remove(stream);
    granted -= stream.granted;
    stream.granted = 0;
  }

  /** The stream has ended: its place and its turn go to the others. */
  void ended(Http2Stream stream) {
    if (stream.sending == State.QUEUED) {
      line.remove(stream);
    }
    if (stream.sending != State.NONE) {
      giveBack(stream);
      stream.sending = State.NONE;
      grant();
    }
  }

  @Nullable
  Http2Stream pollWritable() {
    return writable.poll();
  }
}
