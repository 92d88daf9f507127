package heddle.testkit;

import heddle.codec.Role;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameReader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a scripted peer has received: frames, the windows and settings that follow, and a log. */
final class Http2Input {
  private static final int FRAME_HEADER = 9;
  private static final int MOST_OF_THE_LOG = 60;

  /** Answers a PING. */
  @FunctionalInterface
  interface Answer {
    void to(Frame.Ping ping) throws IOException;
  }

  private final Role role;
  private final RawConnection connection;
  private final Answer answer;
  private final PlainHpack hpack = new PlainHpack();
  private final List<Frame> passedOver = new ArrayList<>();

  /** A leaf: several threads may send while one reads. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private final Deque<String> log = new ArrayDeque<>();

  /** Guarded by lock: credit received by WINDOW_UPDATE less what was sent, by stream. */
  private final Map<Integer, Long> credit = new HashMap<>();

  private FrameReader reader = new FrameReader(Settings.INITIAL.maxFrameSize());
  private volatile Settings settings = Settings.INITIAL;
  private boolean answersPings = true;

  Http2Input(Role role, RawConnection connection, Answer answer) {
    this.role = role;
    this.connection = connection;
    this.answer = answer;
  }

  void answersPings(boolean answers) {
    answersPings = answers;
  }

  Settings settings() {
    return settings;
  }

  // ---- what was sent

  void sent(Frame frame) {
    note("-> " + Http2Text.of(frame));
    switch (frame) {
      case Frame.Data data -> {
        addCredit(data.streamId(), -data.flowControlled());
        addCredit(0, -data.flowControlled());
      }
      case Frame.Settings ours -> {
        for (Frame.Settings.Parameter each : ours.parameters()) {
          if (each.id() == Settings.MAX_FRAME_SIZE
              && each.value() > Settings.INITIAL.maxFrameSize()
              && each.value() < 1 << 24) {
            reader = new FrameReader((int) each.value());
          }
        }
      }
      default -> {}
    }
  }

  private void addCredit(int streamId, long bytes) {
    lock.lock();
    try {
      credit.merge(streamId, bytes, Long::sum);
    } finally {
      lock.unlock();
    }
  }

  private long credit(int streamId) {
    lock.lock();
    try {
      return credit.getOrDefault(streamId, 0L);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something may be sent on the stream; returns how much of what is wanted. */
  int awaitCredit(int streamId, int wanted) throws IOException {
    if (wanted == 0) {
      return 0;
    }
    while (true) {
      long connectionWindow = Settings.INITIAL.initialWindowSize() + credit(0);
      long streamWindow = settings.initialWindowSize() + credit(streamId);
      long allowed = Math.min(connectionWindow, streamWindow);
      if (allowed > 0) {
        return (int) Math.min(Math.min(wanted, allowed), settings.maxFrameSize());
      }
      Frame frame = receive("credit for stream " + streamId);
      check(passOver(frame), "credit for stream " + streamId, frame);
    }
  }

  // ---- what comes

  /** The next frame that is not skipped. */
  <T extends Frame> T next(String what, Class<T> type) throws IOException {
    while (true) {
      Frame frame = receive(what);
      if (!passOver(frame)) {
        check(type.isInstance(frame), what, frame);
        return type.cast(frame);
      }
    }
  }

  /** A frame that may come at any time: one that was skipped, or the next. */
  Frame find(String what, Predicate<Frame> wanted) throws IOException {
    for (Iterator<Frame> all = passedOver.iterator(); all.hasNext(); ) {
      Frame frame = all.next();
      if (wanted.test(frame)) {
        all.remove();
        return frame;
      }
    }
    while (true) {
      Frame frame = receive(what);
      if (wanted.test(frame)) {
        return frame;
      }
      check(passOver(frame), what, frame);
    }
  }

  Http2Head head(Frame.Headers first, byte[] block) {
    Http2Head head = new Http2Head(first.streamId(), first.endStream(), hpack.decode(block));
    note("   " + head.fields());
    return head;
  }

  void expectEnd() throws IOException {
    Frame frame;
    while ((frame = receiveOrEnd("the end of the connection")) != null) {
      check(passOver(frame), "the end of the connection", frame);
    }
  }

  void expectClosed() throws IOException {
    Frame frame;
    do {
      frame = receiveOrEnd("the end of the connection");
    } while (frame != null);
  }

  /** Whether the frame may come at any time. */
  private boolean passOver(Frame frame) throws IOException {
    switch (frame) {
      case Frame.Ping ping
      when !ping.ack() -> {
        if (answersPings) {
          answer.to(ping);
        }
      }
      case Frame.Settings ours when ours.ack() -> {}
      case Frame.WindowUpdate unused -> {}
      case Frame.Priority unused -> {}
      case Frame.PriorityUpdate unused -> {}
      default -> {
        return false;
      }
    }
    passedOver.add(frame);
    return true;
  }

  private Frame receive(String what) throws IOException {
    Frame frame = receiveOrEnd(what);
    if (frame == null) {
      throw failure("expected " + what + " but the connection ended", null);
    }
    return frame;
  }

  /** The next frame, whatever it is; null at the end. */
  @Nullable
  Frame receiveOrEnd(String what) throws IOException {
    try {
      if (!connection.hasMore()) {
        return null;
      }
      byte[] header = connection.expectBytes(FRAME_HEADER);
      int length = (header[0] & 0xFF) << 16 | (header[1] & 0xFF) << 8 | header[2] & 0xFF;
      byte[] payload = connection.expectBytes(length);
      ByteBuffer whole = ByteBuffer.allocate(FRAME_HEADER + length);
      Frame frame = reader.next(whole.put(header).put(payload).flip());
      if (frame == null) {
        throw new IllegalStateException("a whole frame was not read");
      }
      note("<- " + Http2Text.of(frame));
      apply(frame);
      return frame;
    } catch (Http2Exception e) {
      throw failure("expected " + what + " but a frame came that breaks HTTP/2", e);
    } catch (AssertionError e) {
      throw failure("expected " + what, e);
    }
  }

  private void apply(Frame frame) throws Http2Exception {
    switch (frame) {
      case Frame.WindowUpdate update -> addCredit(update.streamId(), update.increment());
      case Frame.Settings theirs ->
        settings = settings.with(theirs, role == Role.CLIENT ? Role.SERVER : Role.CLIENT);
      default -> {}
    }
  }

  // ---- failing

  void note(String line) {
    lock.lock();
    try {
      log.add(line);
      if (log.size() > MOST_OF_THE_LOG) {
        log.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Fails unless the expectation holds. */
  void check(boolean holds, String expected, Object came) {
    if (!holds) {
      String text = came instanceof Frame frame ? Http2Text.of(frame) : came.toString();
      throw failure("expected " + expected + " but " + text + " came", null);
    }
  }

  private AssertionError failure(String message, @Nullable Throwable cause) {
    String why = cause == null ? "" : ": " + cause.getMessage();
    lock.lock();
    try {
      return new AssertionError(message + why + "\nall frames:\n" + String.join("\n", log), cause);
    } finally {
      lock.unlock();
    }
  }

  /** Formats frames, one per line, for the message of a failure. */
  static final class Http2Text {
    private Http2Text() {}

    static String of(Frame frame) {
      return switch (frame) {
        case Frame.Data data ->
          on("DATA", data) + " " + data.data().remaining() + " bytes" + end(data.endStream());
        case Frame.Headers headers ->
          on("HEADERS", headers)
              + end(headers.endStream())
              + (headers.endHeaders() ? "" : ", to be continued");
        case Frame.Continuation more ->
          on("CONTINUATION", more) + (more.endHeaders() ? "" : ", to be continued");
        case Frame.Priority priority -> on("PRIORITY", priority);
        case Frame.RstStream reset ->
          on("RST_STREAM", reset) + " " + ErrorCode.describe(reset.code());
        case Frame.Settings settings -> settings.ack() ? "SETTINGS ACK" : "SETTINGS" + of(settings);
        case Frame.PushPromise promise ->
          on("PUSH_PROMISE", promise) + " of " + promise.promisedStreamId();
        case Frame.Ping ping ->
          (ping.ack() ? "PING ACK " : "PING ") + "0x" + Long.toHexString(ping.data());
        case Frame.GoAway goAway ->
          "GOAWAY " + ErrorCode.describe(goAway.code()) + ", last stream " + goAway.lastStreamId()
              + ", \"" + goAway.debugText() + "\"";
        case Frame.WindowUpdate update -> on("WINDOW_UPDATE", update) + " by " + update.increment();
        case Frame.PriorityUpdate update -> "PRIORITY_UPDATE about " + update.prioritizedStreamId();
        case Frame.Unknown unknown -> on("type " + unknown.type(), unknown);
      };
    }

    private static String of(Frame.Settings settings) {
      return settings.parameters().stream()
          .map(each -> " " + each.id() + "=" + each.value())
          .collect(Collectors.joining());
    }

    private static String on(String type, Frame frame) {
      return type + " on " + frame.streamId();
    }

    private static String end(boolean endStream) {
      return endStream ? ", the last" : "";
    }
  }
}
