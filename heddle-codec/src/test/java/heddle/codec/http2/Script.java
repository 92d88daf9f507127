package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import heddle.codec.Role;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.FrameReader;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A session and its peer, so that a test reads as the frames that go between them: what the peer
 * {@link #sends}, what the session {@link #yields} and {@link #replies}. Content that is yielded is
 * given back to both windows at once.
 */
final class Script {
  final Http2Session session;
  private final Role role;
  private final Cut cut;
  private final List<String> events = new ArrayList<>();
  private final List<Http2Stream> streams = new ArrayList<>();
  private final FrameReader output = new FrameReader(1 << 20);
  private int prefaceLeft;
  private int dataOf;
  private final StringBuilder content = new StringBuilder();
  private boolean givesBack = true;

  /** A server takes no request. */
  boolean refuses;

  /** Likewise, but not by the peer's doing. */
  boolean turnsAway;

  long now = 1_000_000_000L;

  @Nullable
  Http2Exception broken;

  /** The fields of the head that was yielded last. */
  Headers lastHeaders = Headers.empty();

  private Script(Role role, Http2Limits limits, Cut cut) {
    this.role = role;
    this.cut = cut;
    session = new Http2Session(role, limits);
    prefaceLeft = role == Role.CLIENT ? FrameReceiver.PREFACE.length : 0;
  }

  /** A server to which nothing was sent yet. */
  static Script newServer(Cut cut, Http2Limits limits) {
    Script script = new Script(Role.SERVER, limits, cut);
    script.output();
    return script;
  }

  /** A server that has exchanged settings with its client. */
  static Script server(Cut cut, Http2Limits limits) {
    Script script = newServer(cut, limits);
    script.sends(Wire.preface(), Wire.settings(), Wire.settingsAck());
    return script.greeted();
  }

  static Script server(Cut cut) {
    return server(cut, Http2Limits.SERVER);
  }

  /** A client to which nothing was sent yet. */
  static Script newClient(Cut cut, Http2Limits limits) {
    Script script = new Script(Role.CLIENT, limits, cut);
    script.output();
    return script;
  }

  /** A client that has exchanged settings with its server. */
  static Script client(Cut cut, Http2Limits limits) {
    Script script = newClient(cut, limits);
    script.sends(Wire.settings(), Wire.settingsAck());
    return script.greeted();
  }

  static Script client(Cut cut) {
    return client(cut, Http2Limits.CLIENT);
  }

  private Script greeted() {
    replies(Wire.settingsAck());
    yields("settings");
    return this;
  }

  /** From here on the content that is yielded is not given back. */
  Script keepsContent() {
    givesBack = false;
    return this;
  }

  // ---- what the test does in place of the driver

  /** Client: opens a stream with a GET; a server's test may not. */
  Http2Stream get() {
    return session.request(Method.GET, "http", "a", "/", Headers.empty(), true, null);
  }

  /** Client: opens a stream with a POST whose content is to follow. */
  Http2Stream post() {
    return session.request(Method.POST, "http", "a", "/", Headers.empty(), false, null);
  }

  /** Server: answers a stream with a 200, whole or to be followed by content. */
  Script answers(int id, boolean whole) {
    session.response(stream(id), Status.OK, Headers.empty(), whole);
    return this;
  }

  /** The stream with this id that was yielded last. */
  Http2Stream stream(int id) {
    for (Http2Stream each : streams.reversed()) {
      if (each.id() == id) {
        return each;
      }
    }
    throw new NoSuchElementException("no stream " + id + " was yielded");
  }

  // ---- what the peer does

  Script sends(Wire... frames) {
    byte[] bytes = Wire.all(List.of(frames)).bytes();
    if (cut == Cut.WHOLE) {
      feed(bytes);
    } else {
      for (byte each : bytes) {
        feed(new byte[] {each});
      }
    }
    return this;
  }

  /** Feeds bytes as one piece of input and settles. */
  void feed(byte[] bytes) {
    if (broken != null) {
      return;
    }
    // An offset of its own in a larger array: neither may leak into what is parsed.
    byte[] padded = new byte[bytes.length + 5];
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    ByteBuffer in = ByteBuffer.wrap(padded, 2, bytes.length + 1).slice();
    in.position(1);
    try {
      for (Http2Event event; (event = session.next(in, now)) != null; ) {
        record(event);
        if (refuses && event instanceof Http2Event.RequestHead head) {
          session.refuse(head.stream());
        } else if (turnsAway && event instanceof Http2Event.RequestHead head) {
          session.turnAway(head.stream());
        }
      }
      assertEquals(0, in.remaining(), "input was left");
    } catch (Http2Exception e) {
      flushContent();
      broken = e;
      events.add("broken " + e.code());
    }
    session.settle();
    for (Http2Stream stream; (stream = session.pollRefused()) != null; ) {
      events.add("refused " + stream.id());
    }
    // What the caller does with its buffer afterwards must not matter.
    Arrays.fill(padded, (byte) '#');
  }

  private void record(Http2Event event) {
    switch (event) {
      case Http2Event.Data data -> {
        if (dataOf != data.stream().id()) {
          flushContent();
          dataOf = data.stream().id();
        }
        content.append(StandardCharsets.ISO_8859_1.decode(data.bytes().duplicate()));
        if (givesBack) {
          session.consumed(data.stream(), data.flowControlled());
          session.connectionConsumed(data.flowControlled());
        }
        end(dataOf, data.endStream());
      }
      case Http2Event.RequestHead head -> {
        streams.add(head.stream());
        lastHeaders = head.headers();
        String scheme = head.scheme() == null ? "-" : head.scheme();
        String protocol = head.protocol() == null ? "" : " " + head.protocol();
        add("request " + head.stream().id() + " " + head.method() + " " + scheme + " "
            + head.authority() + " " + head.target() + protocol + fields(head.headers()));
        end(head.stream().id(), head.endStream());
      }
      case Http2Event.ResponseHead head -> {
        add("response " + head.stream().id() + " " + head.status().code() + fields(head.headers()));
        end(head.stream().id(), head.endStream());
      }
      case Http2Event.Interim head ->
        add("interim " + head.stream().id() + " " + head.status().code() + fields(head.headers()));
      case Http2Event.Trailers trailers -> {
        add("trailers " + trailers.stream().id() + fields(trailers.headers()));
        end(trailers.stream().id(), true);
      }
      case Http2Event.Reset reset -> add("reset " + reset.stream().id() + " " + reset.code());
      case Http2Event.StreamError error -> add("error " + error.streamId() + " " + error.code());
      case Http2Event.GoAway goAway -> add("goaway " + goAway.lastStreamId() + " " + goAway.code());
      case Http2Event.SettingsChanged settings -> add("settings");
      case Http2Event.PingAck pong -> add("pong " + pong.data());
    }
  }

  private static String fields(Headers headers) {
    return headers.isEmpty() ? "" : " " + headers;
  }

  private void add(String event) {
    flushContent();
    events.add(event);
  }

  private void end(int id, boolean end) {
    if (end) {
      add("end " + id);
    }
  }

  private void flushContent() {
    if (!content.isEmpty()) {
      events.add("data " + dataOf + " " + content);
      content.setLength(0);
    }
  }

  // ---- what is expected

  /** What was yielded since the last call is this. */
  Script yields(String... expected) {
    flushContent();
    assertEquals(String.join("\n", expected), String.join("\n", events), this::why);
    events.clear();
    return this;
  }

  /** What the session sent since the last call is this, in this order. */
  Script replies(Wire... expected) {
    List<String> texts = Arrays.stream(expected).map(Wire::text).toList();
    assertEquals(String.join("\n", texts), String.join("\n", output()), this::why);
    return this;
  }

  /** The stream alone was reset, and the connection goes on. */
  Script resets(int id, ErrorCode code) {
    assertNull(broken, this::why);
    replies(Wire.rst(id, code));
    yields("error " + id + " " + code);
    return isAlive();
  }

  /** The connection was ended with this code, naming this stream as the last. */
  Script breaks(int last, ErrorCode code) {
    if (broken == null) {
      fail("the connection was not broken, but yielded " + events + " and replied " + output());
    }
    flushContent();
    assertEquals("broken " + code, events.getLast(), this::why);
    events.clear();
    List<String> out = output();
    assertEquals(Wire.goAway(last, code).text(), out.getLast(), this::why);
    return this;
  }

  /** Nothing was yielded or replied, and the connection goes on. */
  Script ignores() {
    yields();
    replies();
    return isAlive();
  }

  /** A PING is answered. */
  Script isAlive() {
    sends(Wire.ping(77));
    return replies(Wire.pingAck(77));
  }

  private String why() {
    return cut + (broken == null ? "" : ": " + broken.getMessage());
  }

  /** What the session has sent since the last call, frame by frame. */
  List<String> output() {
    List<String> texts = new ArrayList<>();
    for (Frame frame : frames()) {
      texts.add(text(frame));
    }
    return texts;
  }

  /** The same as frames; payloads are copies. */
  List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    for (ByteBuffer[] out; (out = session.takeOutput()) != null; ) {
      byte[] bytes = join(out);
      int skipped = Math.min(prefaceLeft, bytes.length);
      prefaceLeft -= skipped;
      try {
        ByteBuffer in = ByteBuffer.wrap(bytes, skipped, bytes.length - skipped);
        for (Frame frame; (frame = output.next(in)) != null; ) {
          frames.add(frame);
        }
      } catch (Http2Exception e) {
        throw new AssertionError("the session sent what no peer may take", e);
      }
      session.recycle(out);
    }
    return frames;
  }

  private static byte[] join(ByteBuffer[] buffers) {
    byte[][] parts = new byte[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      parts[i] = new byte[buffers[i].remaining()];
      buffers[i].get(parts[i]);
    }
    return Wire.join(parts);
  }

  private static String text(Frame frame) {
    String on = " " + frame.streamId();
    return switch (frame) {
      case Frame.Data f ->
        "DATA" + on + " " + f.data().remaining() + (f.endStream() ? " END_STREAM" : "");
      case Frame.Headers f -> "HEADERS" + on + (f.endStream() ? " END_STREAM" : "");
      case Frame.Continuation f -> "CONTINUATION" + on;
      case Frame.RstStream f -> "RST_STREAM" + on + " " + f.error();
      case Frame.Settings f -> f.ack() ? "SETTINGS ACK" : "SETTINGS";
      case Frame.Ping f -> "PING " + (f.ack() ? "ACK " : "") + f.data();
      case Frame.GoAway f -> "GOAWAY " + f.lastStreamId() + " " + f.error();
      case Frame.WindowUpdate f -> "WINDOW_UPDATE" + on + " " + f.increment();
      default -> String.valueOf(frame);
    };
  }

  Role role() {
    return role;
  }
}
