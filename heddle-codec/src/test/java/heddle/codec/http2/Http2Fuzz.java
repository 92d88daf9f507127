package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a session yields for any frames: no exception but that of the connection, bounds that hold,
 * and the same whole and in pieces. The first byte of an input says in which pieces.
 */
public final class Http2Fuzz {
  private static final Http2Limits LIMITS =
      Http2Limits.SERVER.toBuilder().maxStreams(8).build();

  private final Http2Session session;
  private final List<String> lines = new ArrayList<>();
  private boolean broken;

  private Http2Fuzz(Role role) {
    session = new Http2Session(role, LIMITS);
    if (role == Role.SERVER) {
      receives(Wire.preface().bytes());
    } else {
      for (Method method : new Method[] {Method.GET, Method.HEAD, Method.POST}) {
        boolean whole = method != Method.POST;
        session.request(method, "http", "a", "/", Headers.of("X", "y"), whole, null);
      }
    }
  }

  /** Frames of a client. */
  public static void server(byte[] input) {
    compare(Role.SERVER, input);
  }

  /** Frames of a server that was asked three times. */
  public static void client(byte[] input) {
    compare(Role.CLIENT, input);
  }

  private static void compare(Role role, byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    int step = 1 + (input[0] & 0xFF);
    Http2Fuzz whole = new Http2Fuzz(role).receives(bytes).ends();
    Http2Fuzz pieces = new Http2Fuzz(role);
    for (int at = 0; at < bytes.length && !pieces.broken; at += step) {
      pieces.receives(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)));
    }
    assertEquals(
        String.join("\n", whole.lines),
        String.join("\n", pieces.ends().lines),
        () -> "in pieces of " + step);
  }

  private Http2Fuzz receives(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      for (Http2Event event; (event = session.next(in, 0)) != null; ) {
        record(event);
        // A session that is asked for nothing between two events would hold what it owes.
        session.settle();
      }
    } catch (Http2Exception e) {
      broken = true;
      lines.add("broken: " + e.code());
    }
    session.settle();
    ByteBuffer[] out = session.takeOutput();
    if (out != null) {
      session.recycle(out);
    }
    int open = session.openStreams();
    assertTrue(open >= 0 && open <= 8, "open streams: " + open);
    return this;
  }

  private Http2Fuzz ends() {
    if (!broken) {
      try {
        session.endOfInput();
      } catch (Http2Exception e) {
        lines.add("cut: " + e.code());
      }
    }
    return this;
  }

  private void record(Http2Event event) {
    switch (event) {
      case Http2Event.RequestHead head -> {
        lines.add(head.stream().id() + " " + head.method() + " " + head.target() + " "
            + head.authority() + " " + text(head.headers()));
        if (head.endStream()) {
          session.response(head.stream(), Status.OK, Headers.of("X", "y"), true);
        }
      }
      case Http2Event.ResponseHead head ->
        lines.add(head.stream().id() + " " + head.status() + " " + text(head.headers()));
      case Http2Event.Interim interim ->
        lines.add(interim.stream().id() + " " + interim.status() + " " + text(interim.headers()));
      case Http2Event.Data data -> {
        String stream = data.stream().id() + " content ";
        String text =
            StandardCharsets.ISO_8859_1.decode(data.bytes().duplicate()).toString();
        if (!lines.isEmpty() && lines.getLast().startsWith(stream)) {
          text = lines.removeLast().substring(stream.length()) + text;
        }
        lines.add(stream + text);
        if (data.endStream()) {
          lines.add(data.stream().id() + " end");
        }
        session.consumed(data.stream(), data.flowControlled());
        session.connectionConsumed(data.flowControlled());
      }
      case Http2Event.Trailers trailers ->
        lines.add(trailers.stream().id() + " trailers " + text(trailers.headers()));
      case Http2Event.Reset reset -> lines.add(reset.stream().id() + " reset " + reset.code());
      case Http2Event.StreamError error -> lines.add(error.streamId() + " error " + error.code());
      case Http2Event.GoAway goAway -> lines.add(goAway.toString());
      case Http2Event.SettingsChanged settings -> lines.add(settings.toString());
      case Http2Event.PingAck ack -> lines.add(ack.toString());
    }
  }

  private static String text(Headers headers) {
    StringBuilder text = new StringBuilder();
    headers.forEach(
        field -> text.append(field.name()).append('=').append(field.value()).append(' '));
    return text.toString();
  }

  /** Frames of a client. */
  public static List<byte[]> serverSeeds() {
    return List.of(
        seed(Wire.settings(), Wire.settingsAck(), Wire.request(1), Wire.request(3)),
        seed(
            Wire.settings(3, 5, 4, 100), Wire.upload(1), Wire.data(1, "ab"), Wire.lastData(1, "c")),
        seed(Wire.settings(), Wire.upload(1), Wire.lastHeaders(1, "sum", "7"), Wire.request(3)),
        seed(Wire.settings(), Wire.upload(1), Wire.rst(1, ErrorCode.CANCEL), Wire.priority(3, 1)),
        seed(Wire.settings(1, 0), Wire.ping(7), Wire.windowUpdate(0, 9), Wire.pingAck(1)),
        seed(
            Wire.settings(),
            Wire.headers(1, 0, Wire.block(Wire.get())),
            Wire.continuation(1, Wire.END_HEADERS, Wire.block("x", "y"))),
        seed(Wire.settings(), Wire.headers(1, Wire.END_HEADERS, Wire.indexed("x", "y"))),
        seed(Wire.settings(), Wire.priorityUpdate(1), Wire.pushPromise(1, 2)),
        seed(Wire.settings(), Wire.goAway(0, ErrorCode.NO_ERROR), Wire.request(1)));
  }

  /** Frames of a server. */
  public static List<byte[]> clientSeeds() {
    return List.of(
        seed(Wire.settings(), Wire.settingsAck(), Wire.response(1), Wire.data(1, "a")),
        seed(Wire.settings(), Wire.headers(5, ":status", "103"), Wire.response(5)),
        seed(Wire.settings(3, 1), Wire.headers(3, Wire.ok("content-length", "3"))),
        seed(Wire.settings(), Wire.response(1), Wire.lastHeaders(1, "sum", "7")),
        seed(Wire.settings(), Wire.response(5), Wire.rst(5, ErrorCode.NO_ERROR)),
        seed(Wire.settings(), Wire.windowUpdate(5, 1), Wire.pushPromise(1, 2)),
        seed(Wire.settings(), Wire.goAway(3, ErrorCode.NO_ERROR), Wire.ping(1)));
  }

  private static byte[] seed(Wire... frames) {
    return Wire.join(new byte[] {16}, Wire.all(List.of(frames)).bytes());
  }
}
