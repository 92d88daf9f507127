package heddle.codec.http2;

import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What received frames ask of the sending half, and frames that it has to send because of them, in
 * order of arrival, until they are settled. Filled and emptied by the loop alone.
 */
final class PendingFrames {
  private static final int LEAST_CAPACITY = 8;

  /** More than this is not kept between batches. */
  private static final int MOST_KEPT = 256;

  /** What is to be done. */
  enum Kind {
    /** The peer's settings, to be applied and acknowledged. Subject: Settings. */
    SETTINGS,
    /** The peer's WINDOW_UPDATE. Subject: the stream, or null. Value: the increment. */
    WINDOW_UPDATE,
    /** PING to be acknowledged. Value: its data. */
    PING,
    /** The PING that measures was acknowledged. Value: when. */
    MEASURED,
    /** The PING of an orderly end was acknowledged. */
    DRAINED,
    /** The peer has opened a stream. Subject: it. */
    OPENED,
    /** A stream has ended on both sides. Subject: it. */
    ENDED,
    /** The peer has reset a stream. Subject: it. */
    RESET_BY_PEER,
    /** We reset a stream. Subject: the stream, or null if none is open. Value: id, error code. */
    RESET_BY_US,
    /** A request's fields are too large. Value: id, and whether its end is still to come. */
    TOO_LARGE,
    /** The peer takes no more streams. Value: the last that it took. */
    GOAWAY_RECEIVED,
    /** The connection is broken. Subject: the exception. */
    BROKEN
  }

  private Kind[] kinds = new Kind[LEAST_CAPACITY];
  private @Nullable Object[] subjects = new @Nullable Object[LEAST_CAPACITY];
  private long[] values = new long[LEAST_CAPACITY];
  int size;

  // Whether there is anything of the kind: if not, a search is skipped.
  private boolean opened;
  private boolean reset;

  /** Bytes that came on the connection and will never be read. */
  long unread;

  void add(Kind kind, @Nullable Object subject, long value) {
    opened |= kind == Kind.OPENED;
    reset |= kind == Kind.RESET_BY_US || kind == Kind.TOO_LARGE;
    if (size == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * size);
      subjects = Arrays.copyOf(subjects, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    kinds[size] = kind;
    subjects[size] = subject;
    values[size++] = value;
  }

  /** An id and a number below 2^32 in one value. */
  static long pair(int id, int number) {
    return (long) id << 32 | Integer.toUnsignedLong(number);
  }

  /** The stream opened last with this id that is still in here, or null. */
  @Nullable
  Http2Stream opened(int id) {
    for (int i = opened ? size - 1 : -1; i >= 0; i--) {
      if (kinds[i] == Kind.OPENED && subjects[i] instanceof Http2Stream s && s.id() == id) {
        return s;
      }
    }
    return null;
  }

  /** Whether a reset of ours is in here for the stream with this id. */
  boolean wasReset(int id) {
    for (int i = 0; reset && i < size; i++) {
      boolean byUs = kinds[i] == Kind.RESET_BY_US || kinds[i] == Kind.TOO_LARGE;
      if (byUs && (int) (values[i] >>> 32) == id) {
        return true;
      }
    }
    return false;
  }

  /** Applies all, and forgets it. Under the driver's lock. */
  void applyTo(FrameSender sender) throws Http2Exception {
    for (int i = 0; i < size; i++) {
      apply(sender, kinds[i], subjects[i], values[i]);
    }
    if (kinds.length > MOST_KEPT) {
      kinds = new Kind[LEAST_CAPACITY];
      subjects = new @Nullable Object[LEAST_CAPACITY];
      values = new long[LEAST_CAPACITY];
    } else {
      Arrays.fill(subjects, 0, size, null);
    }
    size = 0;
    opened = false;
    reset = false;
  }

  private static void apply(FrameSender sender, Kind kind, @Nullable Object subject, long value)
      throws Http2Exception {
    switch (kind) {
      case SETTINGS -> sender.peerSettings((Settings) Objects.requireNonNull(subject));
      case WINDOW_UPDATE -> sender.windowUpdate((Http2Stream) subject, (int) value);
      case PING -> sender.ping(true, value);
      case MEASURED -> sender.roundTrip.acknowledged(value);
      case DRAINED -> sender.drained();
      case OPENED -> sender.openedByPeer(stream(subject));
      case ENDED -> sender.forget(stream(subject));
      case RESET_BY_PEER -> sender.resetByPeer(stream(subject));
      case RESET_BY_US -> sender.reset((Http2Stream) subject, (int) (value >>> 32), (int) value);
      case TOO_LARGE -> sender.headTooLarge((int) (value >>> 32), (int) value == 1);
      case GOAWAY_RECEIVED -> sender.goAwayReceived((int) value);
      case BROKEN -> sender.fail((Http2Exception) Objects.requireNonNull(subject));
    }
  }

  private static Http2Stream stream(@Nullable Object subject) {
    return (Http2Stream) Objects.requireNonNull(subject);
  }
}
