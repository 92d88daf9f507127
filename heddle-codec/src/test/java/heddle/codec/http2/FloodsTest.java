package heddle.codec.http2;

import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.goAway;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.ping;
import static heddle.codec.http2.Wire.post;
import static heddle.codec.http2.Wire.priority;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.Wire.windowUpdate;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.NO_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.Http2Limits.Floods;
import heddle.codec.http2.Http2Limits.Rate;
import heddle.http.Headers;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9113 §10.5: what costs a peer little and us more is bounded, each by ENHANCE_YOUR_CALM. */
class FloodsTest {
  private static final Rate TEN = new Rate(10, 1);
  private static final Http2Limits LIMITS = Http2Limits.SERVER.toBuilder()
      .floods(new Floods(TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN), 10_000)
      .build();

  private static Script server() {
    Script script = Script.server(Cut.WHOLE, LIMITS);
    script.now += 60_000_000_000L; // what the greeting took is forgotten
    return script;
  }

  private static Script client() {
    Script script = Script.client(
        Cut.WHOLE,
        Http2Limits.CLIENT.toBuilder().floods(LIMITS.floods(), 10_000).build());
    script.now += 60_000_000_000L; // what the greeting took is forgotten
    return script;
  }

  private static void tenAreTakenAndNoMore(Script script, IntConsumer once) {
    for (int i = 0; i < 10; i++) {
      once.accept(i);
      assertNull(script.broken, "already the one of index " + i);
    }
    once.accept(10);
    assertNotNull(script.broken, "no bound");
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void rapidResetEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(upload(2 * i + 1), rst(2 * i + 1, CANCEL)));
  }

  @Test
  void resetsThatThePeerProvokesEndTheConnection() {
    Script zero = server();
    tenAreTakenAndNoMore(zero, i -> zero.sends(request(2 * i + 1), windowUpdate(2 * i + 1, 0)));
    Script late = server();
    tenAreTakenAndNoMore(late, i -> late.sends(request(2 * i + 1), data(2 * i + 1, "x")));
    Script malformed = server();
    tenAreTakenAndNoMore(malformed, i -> malformed.sends(lastHeaders(2 * i + 1, get("te", "x"))));
    Script refused =
        Script.server(Cut.WHOLE, LIMITS.toBuilder().maxStreams(1).build()).sends(request(1));
    tenAreTakenAndNoMore(refused, i -> refused.sends(request(2 * i + 3)));
  }

  @Test
  void requestsThatTheDriverRefusesAreReset() {
    Script script = server();
    script.refuses = true;
    script.sends(upload(1), data(1, "on its way"), request(3));
    script.replies(rst(1, REFUSED_STREAM), rst(3, REFUSED_STREAM)).isAlive();
    assertEquals(0, script.session.openStreams());
  }

  @Test
  void requestsThatTheDriverRefusesEndTheConnection() {
    Script script = server();
    script.refuses = true;
    tenAreTakenAndNoMore(script, i -> script.sends(request(2 * i + 1)));
  }

  @Test
  void requestsThatAreTooLargeEndTheConnection() {
    Script script =
        Script.server(Cut.WHOLE, LIMITS.toBuilder().heads(300, 200, 60_000, 8).build());
    tenAreTakenAndNoMore(
        script, i -> script.sends(lastHeaders(2 * i + 1, get("x", "y".repeat(300)))));
  }

  @Test
  void requestsAfterOurGoAwayAreCounted() {
    Script script = server();
    script.session.goAway(NO_ERROR, "");
    tenAreTakenAndNoMore(script, i -> script.sends(request(2 * i + 1)));
  }

  @Test
  void settingsFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(settings()));
  }

  @Test
  void pingFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(ping(i)));
  }

  @Test
  void emptyFramesEndTheConnection() {
    Script script = server().sends(upload(1));
    tenAreTakenAndNoMore(script, i -> script.sends(data(1, "")));
  }

  @Test
  void priorityFloodEndsTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(priority(1, 0)));
  }

  @Test
  void unknownFramesInMassEndTheConnection() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> script.sends(raw(0x77, 0, 0, new byte[0])));
  }

  @Test
  void clientIsGuardedToo() {
    Script script = client();
    tenAreTakenAndNoMore(script, i -> {
      Http2Stream stream = script.get();
      script.output();
      script.sends(rst(stream.id(), CANCEL));
    });
  }

  /** Ways in which a client makes a server reset a stream, or an answered request's. */
  static List<Arguments> provocations() {
    return List.of(
        provocation("WINDOW_UPDATE of 0", id -> all(request(id), windowUpdate(id, 0))),
        provocation(
            "WINDOW_UPDATE beyond 2^31-1",
            id -> all(request(id), windowUpdate(id, Integer.MAX_VALUE))),
        provocation("DATA after END_STREAM", id -> all(request(id), data(id, "x"))),
        provocation("HEADERS after END_STREAM", id -> all(request(id), request(id))),
        provocation(
            "PRIORITY of a wrong length", id -> all(request(id), raw(0x2, 0, id, new byte[4]))),
        provocation("a stream that depends on itself", id -> all(request(id), priority(id, id))),
        provocation(
            "content longer than announced",
            id -> all(headers(id, post("content-length", "1")), data(id, "xx"))),
        provocation(
            "content shorter than announced",
            id -> all(headers(id, post("content-length", "2")), lastData(id, "x"))),
        provocation("a second head", id -> all(upload(id), headers(id, post()))),
        provocation(
            "DATA with more padding than there is",
            id -> all(upload(id), data(id, Wire.PADDED, new byte[0]))),
        provocation("a malformed head", id -> lastHeaders(id, get("te", "x"))));
  }

  private static Arguments provocation(String way, IntFunction<Wire> frames) {
    return Arguments.of(Named.of(way, frames));
  }

  private static Wire all(Wire... frames) {
    return Wire.all(List.of(frames));
  }

  /** MadeYouReset, CVE-2025-8671. */
  @ParameterizedTest
  @MethodSource("provocations")
  void eachWayToMakeUsResetIsCounted(IntFunction<Wire> frames) {
    Rate many = new Rate(1_000, 1);
    Http2Limits limits = Http2Limits.SERVER.toBuilder()
        .floods(new Floods(many, TEN, many, many, many, many, many, many, many, many), 10_000)
        .build();
    Script script = Script.server(Cut.WHOLE, limits);
    tenAreTakenAndNoMore(script, i -> script.sends(frames.apply(2 * i + 1)));
    assertTrue(String.valueOf(script.broken).contains("CVE-2025-8671"), script.broken::toString);
  }

  /** Ways in which a server makes a client reset a stream whose request is not sent whole. */
  static List<Arguments> provocationsByServers() {
    return List.of(
        provocation("WINDOW_UPDATE of 0", id -> windowUpdate(id, 0)),
        provocation("WINDOW_UPDATE beyond 2^31-1", id -> windowUpdate(id, Integer.MAX_VALUE)),
        provocation("DATA before the head", id -> data(id, "x")),
        provocation("DATA after END_STREAM", id -> all(lastHeaders(id, ok()), data(id, "x"))),
        provocation("HEADERS after END_STREAM", id -> all(lastHeaders(id, ok()), response(id))),
        provocation("a stream that depends on itself", id -> priority(id, id)),
        provocation("a head without a status", id -> headers(id, "x", "y")),
        provocation(
            "content longer than announced",
            id -> all(headers(id, ok("content-length", "1")), data(id, "xx"))),
        provocation(
            "content shorter than announced",
            id -> all(headers(id, ok("content-length", "2")), lastData(id, "x"))),
        provocation(
            "DATA with more padding than there is",
            id -> all(response(id), data(id, Wire.PADDED, new byte[0]))));
  }

  /** MadeYouReset, CVE-2025-8671, from the other side. */
  @ParameterizedTest
  @MethodSource("provocationsByServers")
  void eachWayToMakeAClientResetIsCounted(IntFunction<Wire> frames) {
    Rate many = new Rate(1_000, 1);
    Http2Limits limits = Http2Limits.CLIENT.toBuilder()
        .floods(new Floods(many, TEN, many, many, many, many, many, many, many, many), 10_000)
        .build();
    Script script = Script.client(Cut.WHOLE, limits);
    tenAreTakenAndNoMore(script, i -> {
      int id = script.post().id();
      script.output();
      script.sends(frames.apply(id));
    });
    assertTrue(String.valueOf(script.broken).contains("CVE-2025-8671"), script.broken::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void windowUpdatesWithoutContentEndTheConnection(int stream) {
    Script server = server().sends(upload(1));
    for (int i = 0; i < FloodGuard.UPDATES_PER_STREAM; i++) {
      server.sends(windowUpdate(stream, 1));
    }
    tenAreTakenAndNoMore(server, i -> server.sends(windowUpdate(stream, 1)));

    Script client = client();
    client.post();
    for (int i = 0; i < FloodGuard.UPDATES_PER_STREAM; i++) {
      client.sends(windowUpdate(stream, 1));
    }
    tenAreTakenAndNoMore(client, i -> client.sends(windowUpdate(stream, 1)));
  }

  @Test
  void windowUpdatesThatGoWithContentAreNoFlood() {
    Script script = client();
    Http2Stream stream = script.post();
    script.output();
    for (int i = 0; i < 1_000; i++) {
      // A peer that gives credit for each frame, to the stream and the connection.
      int length = i % 2 == 0 ? 3 : 5_000;
      assertEquals(
          length, script.session.data(stream, ByteBuffer.allocate(length), false), "of " + i);
      script.output();
      script.sends(windowUpdate(0, length), windowUpdate(1, length));
    }
    script.isAlive();
  }

  /** CVE-2026-49975: each byte of window makes us send a frame of one byte. */
  @Test
  void windowThatIsOpenedByteByByteEndsTheConnection() {
    Script script = client();
    script.sends(settings(0x4, 0)); // no initial window
    Http2Stream stream = script.post();
    ByteBuffer content = ByteBuffer.allocate(1_000);
    script.session.data(stream, content, true);
    int frames = 0;
    while (script.broken == null && frames < 100) {
      script.sends(windowUpdate(1, 1));
      if (script.broken == null) {
        assertEquals(stream, script.session.pollWritable(), "it may send again");
        assertEquals(1, script.session.data(stream, content, true));
        script.session.data(stream, content, true); // the window is shut: it waits
      }
      frames++;
    }
    assertEquals(FloodGuard.UPDATES_PER_STREAM + 11, frames);
    assertNotNull(script.broken);
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void goAwayFloodEndsTheConnection() {
    Script client = client();
    tenAreTakenAndNoMore(client, i -> client.sends(goAway(0, NO_ERROR)));
    Script server = server();
    tenAreTakenAndNoMore(server, i -> server.sends(goAway(0, NO_ERROR)));
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void contentInTinyFramesEndsTheConnection(Cut cut) {
    Script server = Script.server(cut, LIMITS).sends(upload(1));
    tenAreTakenAndNoMore(server, i -> server.sends(data(1, "x")));
    Script client = Script.client(
        cut, Http2Limits.CLIENT.toBuilder().floods(LIMITS.floods(), 10_000).build());
    client.get();
    client.sends(headers(1, Wire.ok()));
    byte[] oneOfTwoHundred = new byte[201];
    oneOfTwoHundred[0] = (byte) 199;
    tenAreTakenAndNoMore(client, i -> client.sends(data(1, Wire.PADDED, oneOfTwoHundred)));
  }

  @Test
  void tinyFramesThatEndTheirStreamsAreNoFlood() {
    Script script = server();
    for (int i = 0; i < 100; i++) {
      script.sends(upload(2 * i + 1), lastData(2 * i + 1, "x")).answers(2 * i + 1, true);
      script.output();
    }
    assertNull(script.broken);
  }

  @Test
  void framesOnStreamsThatWeHaveResetAreCounted() {
    Script heads = server().sends(upload(1));
    heads.session.reset(heads.stream(1), CANCEL);
    tenAreTakenAndNoMore(heads, i -> heads.sends(lastHeaders(1, "x", "y")));
    Script content = server().sends(upload(1));
    content.session.reset(content.stream(1), CANCEL);
    tenAreTakenAndNoMore(content, i -> content.sends(lastData(1, "")));
  }

  @Test
  void emptyContinuationsAreCounted() {
    Script script = server();
    tenAreTakenAndNoMore(script, i -> {
      int id = 2 * i + 1;
      script.sends(
          headers(id, Wire.END_STREAM, Wire.block(get())),
          Wire.continuation(id, 0, new byte[0]),
          Wire.continuation(id, END_HEADERS, new byte[0]));
    });
    Script client = client();
    tenAreTakenAndNoMore(client, i -> {
      int id = client.get().id();
      client.output();
      client.sends(
          headers(id, Wire.END_STREAM, Wire.block(ok())),
          Wire.continuation(id, 0, new byte[0]),
          Wire.continuation(id, END_HEADERS, new byte[0]));
    });
  }

  @Test
  void requestsThatAreTurnedAwayAreNoFlood() {
    Script script = server();
    script.turnsAway = true;
    for (int id = 1; id < 200; id += 2) {
      script.sends(request(id)).replies(rst(id, REFUSED_STREAM));
    }
    script.turnsAway = false;
    script.sends(request(201)).answers(201, true).replies(lastHeaders(201)).isAlive();
    assertEquals(0, script.session.openStreams());
  }

  @Test
  void requestsThatAreTurnedAwayLeaveABoundedNumberOfResets() {
    Script script = Script.server(
        Cut.WHOLE, Http2Limits.SERVER.toBuilder().floods(Floods.DEFAULTS, 20).build());
    script.turnsAway = true;
    for (int id = 1; id < 60 && script.broken == null; id += 2) {
      script.sends(request(id));
    }
    assertNotNull(script.broken);
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void requestsOfAClientThatReadsNoResponsesAreRefused() {
    Script script = Script.server(
        Cut.WHOLE, Http2Limits.SERVER.toBuilder().maxQueuedBytes(16_384).build());
    script.output();
    for (int id = 1; id < 40; id += 2) {
      script.sends(request(id));
      Http2Stream stream = script.stream(id);
      Headers fields = Headers.of("x", id + "y".repeat(1_000));
      script.session.response(stream, Status.OK, fields, true);
    }
    // Each response is complete, and so is its stream: none counts as open.
    script.sends(request(45), request(47));
    List<String> replies = script.output();
    assertEquals(
        List.of(rst(45, REFUSED_STREAM).text(), rst(47, REFUSED_STREAM).text()),
        replies.stream().filter(frame -> frame.startsWith("RST")).toList());
    script.sends(request(49)).answers(49, true); // it reads after all
    script.replies(lastHeaders(49)).isAlive();
  }

  @Test
  void controlFramesForAPeerThatDoesNotReadAreBounded() {
    Http2Limits limits =
        Http2Limits.SERVER.toBuilder().floods(Floods.DEFAULTS, 20).build();
    Script script = Script.server(Cut.WHOLE, limits);
    for (int i = 0; i < 20; i++) {
      script.sends(ping(i));
    }
    assertNull(script.broken);
    script.output(); // It reads after all.
    for (int i = 0; i < 20; i++) {
      script.sends(ping(i));
    }
    assertNull(script.broken);
    script.sends(ping(1), ping(2), ping(3));
    assertNotNull(script.broken);
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  @Test
  void whatIsTakenSlowlyIsNoFlood() {
    Script script = server();
    for (int i = 0; i < 100; i++) {
      script.now += 1_000_000_000L;
      script.sends(upload(2 * i + 1), rst(2 * i + 1, CANCEL), ping(i), settings());
      script.sends(headers(2 * i + 1, END_HEADERS, Wire.block("x", "y")));
      script.output();
    }
    assertNull(script.broken);
  }
}
