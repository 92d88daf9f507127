package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what a channel delivers, for one thread to wait for and take. */
final class RawInput implements ChannelListener {
  private final EventLoop loop;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private byte[] bytes = new byte[256];
  private int from;
  private int to;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException cause;
  private @Nullable Thread reader;

  RawInput(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void onBytes(ByteBuffer came) {
    lock.lock();
    try {
      int count = came.remaining();
      makeRoom(count);
      came.get(bytes, to, count);
      to += count;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(int count) {
    if (bytes.length - to >= count) {
      return;
    }
    int held = to - from;
    byte[] target = bytes.length - held >= count && from > bytes.length / 2
        ? bytes
        : new byte[Math.max(2 * bytes.length, held + count)];
    System.arraycopy(bytes, from, target, 0, held);
    bytes = target;
    from = 0;
    to = held;
  }

  @Override
  public void onEnd() {
    lock.lock();
    try {
      ended = true;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    lock.lock();
    try {
      closed = true;
      cause = why;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  private void wakeReader() {
    if (reader != null) {
      loop.unpark(reader);
    }
  }

  /**
   * Waits until {@code done} holds or nothing more can come.
   *
   * @param done looks at this object through its methods
   */
  void await(BooleanSupplier done, Deadline deadline, String what) throws IOException {
    reader(Thread.currentThread());
    try {
      Waiting.until(() -> isOver() || done.getAsBoolean(), loop, deadline, "waiting for " + what);
    } finally {
      reader(null);
    }
  }

  /** Waits until the channel is closed, an end of the stream notwithstanding. */
  void awaitClosed(Deadline deadline) throws IOException {
    reader(Thread.currentThread());
    try {
      Waiting.until(this::isClosed, loop, deadline, "waiting for the close");
    } finally {
      reader(null);
    }
  }

  private void reader(@Nullable Thread thread) {
    lock.lock();
    try {
      reader = thread;
    } finally {
      lock.unlock();
    }
  }

  /** What has come and has not been taken. */
  byte[] received() {
    lock.lock();
    try {
      return Arrays.copyOfRange(bytes, from, to);
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return to - from;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the first bytes; as many must be there. */
  byte[] take(int count) {
    lock.lock();
    try {
      byte[] taken = Arrays.copyOfRange(bytes, from, from + count);
      from += count;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing more will come. */
  boolean isOver() {
    lock.lock();
    try {
      return ended || closed;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** What broke the channel, if anything did. */
  @Nullable
  IOException cause() {
    lock.lock();
    try {
      return cause;
    } finally {
      lock.unlock();
    }
  }

  /** The state of the stream, for the message of a failure. */
  String state() {
    lock.lock();
    try {
      if (closed) {
        return cause == null
            ? "the connection was closed on this side"
            : "the connection broke: " + cause;
      }
      return ended ? "the peer ended the stream" : "the connection is open";
    } finally {
      lock.unlock();
    }
  }

  /**
   * Finds where a well-formed HTTP/1.1 message ends (RFC 9112 §6.3), to cut text for a test. Shares
   * nothing with the parser under test.
   */
  static final class RawFraming {
    private static final Pattern LENGTH =
        Pattern.compile("\r\ncontent-length:[ \t]*([0-9]+)[ \t]*\r\n", Pattern.CASE_INSENSITIVE);
    private static final Pattern CHUNKED = Pattern.compile(
        "\r\ntransfer-encoding:[^\r\n]*\\bchunked[ \t]*\r\n", Pattern.CASE_INSENSITIVE);
    private static final Pattern NO_CONTENT =
        Pattern.compile("HTTP/1\\.[01] (1[0-9]{2}|204|304)\\b");

    private RawFraming() {}

    /** The length of the head with the empty line that ends it, once that has come. */
    static OptionalInt headLength(byte[] received) {
      int end = new String(received, ISO_8859_1).indexOf("\r\n\r\n");
      return end < 0 ? OptionalInt.empty() : OptionalInt.of(end + 4);
    }

    /**
     * The length of the first message, once all of it has come.
     *
     * @param over whether nothing more can come, which ends a response of unknown length
     */
    static OptionalInt messageLength(byte[] received, boolean over) {
      OptionalInt head = headLength(received);
      if (head.isEmpty()) {
        return head;
      }
      String text = new String(received, ISO_8859_1);
      String fields = text.substring(0, head.getAsInt());
      if (NO_CONTENT.matcher(fields).lookingAt()) {
        return head;
      }
      if (CHUNKED.matcher(fields).find()) {
        return chunkedEnd(text, head.getAsInt());
      }
      Matcher length = LENGTH.matcher(fields);
      if (length.find()) {
        return upTo(head.getAsInt() + Integer.parseInt(length.group(1)), received.length);
      }
      if (!fields.toUpperCase(Locale.ROOT).startsWith("HTTP/")) {
        return head;
      }
      return over ? OptionalInt.of(received.length) : OptionalInt.empty();
    }

    private static OptionalInt upTo(int end, int available) {
      return end <= available ? OptionalInt.of(end) : OptionalInt.empty();
    }

    private static OptionalInt chunkedEnd(String text, int from) {
      int at = from;
      while (true) {
        int lineEnd = text.indexOf("\r\n", at);
        if (lineEnd < 0) {
          return OptionalInt.empty();
        }
        String sizeText = text.substring(at, lineEnd).split("[; \t]", 2)[0];
        int size = chunkSize(sizeText);
        if (size == 0) {
          return trailersEnd(text, lineEnd);
        }
        at = lineEnd + 2 + size + 2;
      }
    }

    private static int chunkSize(String text) {
      try {
        return Integer.parseUnsignedInt(text, 16);
      } catch (NumberFormatException e) {
        throw new AssertionError("not a chunk size: \"" + text + "\"", e);
      }
    }

    /** Trailers end with an empty line, which may follow the last chunk's line at once. */
    private static OptionalInt trailersEnd(String text, int lastChunkLineEnd) {
      int end = text.indexOf("\r\n\r\n", lastChunkLineEnd);
      return end < 0 ? OptionalInt.empty() : OptionalInt.of(end + 4);
    }
  }
}
