package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.Role;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session and what it has yielded so far, as lines of text, so that a test reads as a script. A
 * server's conversation answers each request with an empty 200; a client's asks the given methods
 * in turn.
 */
final class Conversation {
  final Http1Session session;
  private final Role role;
  private final Deque<Method> toAsk = new ArrayDeque<>();
  private final List<String> lines = new ArrayList<>();
  final List<Event> events = new ArrayList<>();
  private final StringBuilder content = new StringBuilder();
  private byte[] left = {};

  /** Monotonic time, in nanoseconds; a test moves it. */
  long now;

  private @Nullable ProtocolException refusal;

  private Conversation(Role role, Http1Session session) {
    this.role = role;
    this.session = session;
  }

  static Conversation server() {
    return server(Limits.DEFAULTS);
  }

  static Conversation server(Limits limits) {
    return new Conversation(Role.SERVER, new Http1Session(Role.SERVER, limits));
  }

  static Conversation server(HeadParser scratch) {
    return new Conversation(Role.SERVER, new Http1Session(Role.SERVER, Limits.DEFAULTS, scratch));
  }

  /** A client that offers an upgrade with each request. */
  static Conversation client(Limits limits, @Nullable HeadParser scratch, Method... methods) {
    Conversation conversation = new Conversation(
        Role.CLIENT,
        scratch == null
            ? new Http1Session(Role.CLIENT, limits)
            : new Http1Session(Role.CLIENT, limits, scratch));
    conversation.toAsk.addAll(List.of(methods));
    conversation.ask();
    return conversation;
  }

  static Conversation client(Method... methods) {
    return client(Limits.DEFAULTS, null, methods);
  }

  private void ask() {
    Method method = toAsk.poll();
    if (method != null) {
      session.expectResponseTo(method);
      session.requestHead(
          method,
          method == Method.CONNECT ? "far:443" : "/",
          "a",
          Headers.of("Upgrade", "echo"),
          Http1Session.NO_BODY);
    }
  }

  Conversation receives(String input) {
    return receives(input.getBytes(StandardCharsets.ISO_8859_1));
  }

  Conversation receives(byte[] input) {
    // An offset of its own in a larger array: neither may leak into what is parsed.
    byte[] padded = new byte[left.length + input.length + 7];
    System.arraycopy(left, 0, padded, 3, left.length);
    System.arraycopy(input, 0, padded, 3 + left.length, input.length);
    ByteBuffer in = ByteBuffer.wrap(padded, 2, left.length + input.length + 1).slice();
    in.position(1);
    try {
      drain(in);
    } catch (ProtocolException e) {
      refusal = e;
      flushContent();
      lines.add("refused " + e.violation());
    }
    left = new byte[in.remaining()];
    in.get(left);
    // What the caller does with its buffer afterwards must not matter.
    Arrays.fill(padded, (byte) '#');
    return this;
  }

  private void drain(ByteBuffer in) throws ProtocolException {
    while (refusal == null) {
      Event event = session.next(in, now);
      if (event == null) {
        return;
      }
      record(event);
      if (event instanceof Event.End && !goOn()) {
        return;
      }
    }
  }

  /** After a message's end: whether the next one may come. */
  private boolean goOn() {
    if (role == Role.SERVER) {
      session.responseHead(Status.OK, Headers.empty(), 0, false);
      session.end(Headers.empty());
    }
    if (!session.isReusable()) {
      lines.add("closes");
      return false;
    }
    session.nextMessage();
    ask();
    return true;
  }

  private void record(Event event) {
    events.add(event instanceof Event.Data data ? new Event.Data(copy(data.bytes())) : event);
    switch (event) {
      case Event.RequestHead head -> {
        lines.add("request " + head.method() + " " + head.target() + " " + head.version());
        fields("", head.headers());
        lines.add((head.hasBody() ? "with" : "without") + " content");
        if (head.expectContinue()) {
          lines.add("waits for 100");
        }
      }
      case Event.ResponseHead head -> {
        lines.add("response " + head.status().code() + " " + head.version());
        fields("", head.headers());
        lines.add((head.hasBody() ? "with" : "without") + " content");
      }
      case Event.Interim interim -> {
        lines.add("interim " + interim.status().code());
        fields("", interim.headers());
      }
      case Event.Data data -> {
        assertTrue(data.bytes().hasRemaining(), "an empty piece of content");
        content.append(StandardCharsets.ISO_8859_1.decode(data.bytes().duplicate()));
      }
      case Event.End end -> {
        flushContent();
        fields("trailer ", end.trailers());
        lines.add("end");
      }
      case Event.Upgraded upgraded -> lines.add("upgraded");
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private void flushContent() {
    if (!content.isEmpty()) {
      lines.add("content " + content);
      content.setLength(0);
    }
  }

  private void fields(String prefix, Headers headers) {
    headers.forEach(field -> lines.add(prefix + field.name() + ": " + field.value()));
  }

  Conversation closed() {
    if (refusal != null) {
      return this;
    }
    try {
      Event event = session.endOfInput();
      if (event != null) {
        record(event);
      }
    } catch (ProtocolException e) {
      refusal = e;
      flushContent();
      lines.add("refused " + e.violation());
    }
    return this;
  }

  /** What was yielded since the last call is this. */
  Conversation yields(String... expected) {
    assertEquals(String.join("\n", expected), String.join("\n", transcript()));
    lines.clear();
    return this;
  }

  /** What lies in the input and was not consumed. */
  Conversation leaves(String expected) {
    assertEquals(expected, new String(left, StandardCharsets.ISO_8859_1));
    return this;
  }

  Conversation refuses(Violation expected) {
    assertNotNull(refusal, () -> "nothing was refused, but yielded: " + transcript());
    assertEquals(expected, refusal.violation(), refusal.getMessage());
    return this;
  }

  @Nullable
  ProtocolException refusal() {
    return refusal;
  }

  List<String> transcript() {
    List<String> all = new ArrayList<>(lines);
    if (!content.isEmpty()) {
      all.add("content " + content);
    }
    return all;
  }
}
