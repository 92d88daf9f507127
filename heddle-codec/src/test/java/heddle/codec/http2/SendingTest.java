package heddle.codec.http2;

import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.ping;
import static heddle.codec.http2.Wire.pingAck;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.settingsAck;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.Wire.windowUpdate;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackDecoder;
import heddle.codec.hpack.HpackException;
import heddle.codec.http2.frame.Frame;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session sends: its heads, the order of frames, the turns of streams. */
class SendingTest {
  private static final int FRAME = 16_384;

  private static Script client() {
    return Script.client(Cut.WHOLE);
  }

  /** A server that may send much on each of these streams, whose heads are sent. */
  private static Script answering(int... ids) {
    Script script = Script.server(Cut.WHOLE);
    script.sends(settings(4, 100_000_000), windowUpdate(0, 100_000_000));
    for (int id : ids) {
      script.sends(request(id)).answers(id, false);
    }
    script.output();
    return script;
  }

  /** The fields of all heads that were sent since the last call. */
  static List<String> heads(Script script, HpackDecoder decoder) throws HpackException {
    List<String> all = new ArrayList<>();
    for (Frame frame : script.frames()) {
      Frame.Headers head = (Frame.Headers) frame;
      List<String> fields = new ArrayList<>();
      ByteBuffer block = head.fragment();
      byte[] bytes = new byte[block.remaining()];
      block.get(bytes);
      decoder.decode(bytes, 0, bytes.length, new heddle.codec.hpack.HpackSink() {
        @Override
        public void field(heddle.codec.hpack.HpackField field) {
          fields.add(field.toString());
        }

        @Override
        public void malformed(Kind kind, String why) {
          throw new AssertionError(why);
        }
      });
      all.add(String.join(", ", fields));
    }
    return all;
  }

  // ---- heads

  @Test
  void fieldsOfAConnectionAreLeftOut() throws HpackException {
    Script script = client();
    Headers fields = Headers.of(
        "Connection", "close, X-Hop",
        "Keep-Alive", "timeout=5",
        "Proxy-Connection", "close",
        "Transfer-Encoding", "chunked",
        "Upgrade", "h2c",
        "HTTP2-Settings", "x",
        "Host", "b",
        "X-Hop", "1",
        "TE", "gzip",
        "Accept", "y");
    script.session.request(Method.GET, "https", "a:1", "/p?q", fields, true, null);
    assertEquals(
        List.of(":method: GET, :scheme: https, :authority: a:1, :path: /p?q, Accept: y"),
        heads(script, new HpackDecoder(4_096, 65_536, 200)));
    script.session.request(
        Method.GET, "https", "a:1", "/", Headers.of("TE", "trailers"), true, null);
    assertFalse(script.frames().isEmpty());
  }

  @Test
  void willingnessToTakeTrailersIsSaidThoughItIsAConnectionOption() throws HpackException {
    Script script = client();
    Headers fields = Headers.of("TE", "trailers", "Connection", "TE", "Accept", "y");
    script.session.request(Method.GET, "https", "a:1", "/", fields, true, null);
    assertEquals(
        List.of(":method: GET, :scheme: https, :authority: a:1, :path: /, TE: trailers, Accept: y"),
        heads(script, new HpackDecoder(4_096, 65_536, 200)));
  }

  @Test
  void headsThatRepeatAreDecodedAlike() throws HpackException {
    Script script = client();
    HpackDecoder decoder = new HpackDecoder(4_096, 65_536, 200);
    Headers fields = Headers.of("Accept", "x", "X-Id", "7");
    Headers others = Headers.of("X-Other", "1");
    String expected = ":method: GET, :scheme: http, :authority: a, :path: /, Accept: x, x-id: 7";
    for (int i = 0; i < 6; i++) {
      script.session.request(Method.GET, "http", "a", "/", fields, true, null);
      assertEquals(List.of(expected), heads(script, decoder), "request " + i);
    }
    // Others move the table on, and the bytes that were kept are of no more use.
    script.session.request(Method.GET, "http", "b", "/", others, true, null);
    script.session.request(Method.GET, "http", "a", "/", fields, true, null);
    assertEquals(expected, heads(script, decoder).getLast());
    script.session.request(Method.HEAD, "http", "a", "/", fields, true, null);
    script.session.request(Method.GET, "http", "a", "/2", fields, true, null);
    List<String> last = heads(script, decoder);
    assertTrue(last.getFirst().startsWith(":method: HEAD"), last.toString());
    assertTrue(last.getLast().contains(":path: /2"), last.toString());
  }

  @Test
  void partsThatCouldSplitAHeadAreRefused() {
    Script script = client();
    Headers none = Headers.empty();
    String[][] bad = {
      {"http", "a\r\nb", "/"}, {"http", "u@a", "/"}, {"http", "", "/"}, {"http", "a", ""},
      {"http", "a", "x"}, {"http", "a", "/\r\n"}, {"http", "a", "/\u0141"}, {"h ttp", "a", "/"},
      {"", "a", "/"}, {"http", "a", "*"}, {"http", "a", "/#f"}
    };
    for (String[] each : bad) {
      assertThrows(
          IllegalArgumentException.class,
          () -> script.session.request(Method.GET, each[0], each[1], each[2], none, true, null));
    }
    assertThrows(IllegalArgumentException.class, () -> script.session.connect("a", none, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> script.session.request(Method.CONNECT, "http", "a", "/", none, true, null));
    script.replies();
    assertEquals(1, script.get().id());
    script.replies(request(1));
  }

  @Test
  void largeHeadIsCutAndNothingComesBetween() {
    Script script = client();
    script.session.ping(1);
    Headers large = Headers.of("X", "\u0080".repeat(40_000));
    script.session.request(Method.GET, "http", "a", "/", large, true, null);
    List<String> out = script.output();
    assertEquals("PING 1", out.getFirst());
    assertEquals(
        List.of("HEADERS 1 END_STREAM", "CONTINUATION 1", "CONTINUATION 1"),
        out.subList(1, 4).stream().toList());
  }

  @Test
  void extendedConnectNeedsTheServersConsent() {
    Script script = client();
    assertThrows(
        IllegalStateException.class,
        () -> script.session.connect("websocket", "https", "a", "/", Headers.empty(), null));
    script.sends(settings(8, 1)).replies(settingsAck());
    script.session.connect("websocket", "https", "a", "/", Headers.empty(), null);
    script.replies(headers(1, ok()));
  }

  @Test
  void interimResponsesGoBeforeTheFinalOne() {
    Script script = Script.server(Cut.WHOLE).sends(request(1));
    Http2Stream stream = script.stream(1);
    assertTrue(script.session.interim(stream, Status.EARLY_HINTS, Headers.empty()));
    assertThrows(
        IllegalArgumentException.class,
        () -> script.session.interim(stream, Status.SWITCHING_PROTOCOLS, Headers.empty()));
    assertThrows(
        IllegalArgumentException.class,
        () -> script.session.response(stream, Status.CONTINUE, Headers.empty(), true));
    script.answers(1, false);
    script.replies(headers(1, ok()), headers(1, ok()));
    assertThrows(
        IllegalStateException.class,
        () -> script.session.interim(stream, Status.EARLY_HINTS, Headers.empty()));
    assertThrows(IllegalStateException.class, () -> script.answers(1, true));
  }

  // ---- content

  @Test
  void trailersEndTheMessage() {
    Script script = answering(1);
    script.session.data(script.stream(1), ByteBuffer.allocate(3), false);
    script.session.trailers(script.stream(1), Headers.of("Sum", "7"));
    script.replies(data(1, "abc"), lastHeaders(1, "sum", "7"));
    Script other = answering(1);
    other.session.trailers(other.stream(1), Headers.empty());
    other.replies(lastData(1, ""));
    Script bad = answering(1);
    assertThrows(
        IllegalArgumentException.class,
        () -> bad.session.trailers(bad.stream(1), Headers.of("Content-Length", "1")));
  }

  @Test
  void contentMustBeOfTheAnnouncedLength() {
    Script script = client();
    Headers four = Headers.of("Content-Length", "4");
    Http2Stream stream = script.session.request(Method.POST, "http", "a", "/", four, false, null);
    assertThrows(
        IllegalStateException.class,
        () -> script.session.data(stream, ByteBuffer.allocate(5), false));
    script.session.data(stream, ByteBuffer.allocate(3), false);
    assertThrows(
        IllegalStateException.class,
        () -> script.session.data(stream, ByteBuffer.allocate(0), true));
    script.session.data(stream, ByteBuffer.allocate(1), true);
    script.replies(headers(1, ok()), data(1, "abc"), lastData(1, "d"));
    assertThrows(
        IllegalArgumentException.class,
        () -> script.session.request(Method.GET, "http", "a", "/", four, true, null));
  }

  @Test
  void contentIsCutToFramesAndSentUnchanged() {
    Script script = answering(1);
    byte[] content = new byte[40_000];
    new java.util.Random(7).nextBytes(content);
    assertEquals(40_000, script.session.data(script.stream(1), ByteBuffer.wrap(content), true));
    var sent = new java.io.ByteArrayOutputStream();
    List<Integer> sizes = new ArrayList<>();
    for (Frame frame : script.frames()) {
      var piece = (heddle.codec.http2.frame.Frame.Data) frame;
      byte[] bytes = new byte[piece.data().remaining()];
      piece.data().get(bytes);
      sent.writeBytes(bytes);
      sizes.add(bytes.length);
    }
    assertEquals(List.of(FRAME, FRAME, 40_000 - 2 * FRAME), sizes);
    assertArrayEquals(content, sent.toByteArray());
  }

  @Test
  void roomForContentIsBoundedUntilItIsTaken() {
    Script script = answering(1, 3);
    ByteBuffer large = ByteBuffer.allocate(1_000_000);
    assertEquals(DataScheduler.ROOM, script.session.data(script.stream(1), large, true));
    assertEquals(0, script.session.data(script.stream(1), large, true));
    assertNull(script.session.pollWritable());
    script.output();
    assertSame(script.stream(1), script.session.pollWritable());
    assertEquals(DataScheduler.ROOM, script.session.data(script.stream(1), large, true));
  }

  @Test
  void roomForContentMayBeOneFrame() {
    Script script = answering(1, 3);
    ByteBuffer large = ByteBuffer.allocate(1_000_000);
    script.session.contentRoom(1);
    assertEquals(FRAME, script.session.data(script.stream(1), large, true));
    assertEquals(0, script.session.data(script.stream(3), large.duplicate(), true));
    script.output();
    assertSame(script.stream(3), script.session.pollWritable());
    assertEquals(FRAME, script.session.data(script.stream(3), large.duplicate(), true));
    script.session.contentRoom(Http2Session.CONTENT_ROOM_BYTES);
    script.output();
    assertEquals(DataScheduler.ROOM, script.session.data(script.stream(1), large, true));
  }

  @Test
  void outputIsHeldUntilItIsGivenBack() {
    Script script = answering(1);
    int spare = script.session.heldOutput();
    script.session.data(script.stream(1), ByteBuffer.allocate(100_000), false);
    int held = script.session.heldOutput();
    assertTrue(held >= 100_000 && held <= 101_000 + spare, held + " are held");
    ByteBuffer[] taken = script.session.takeOutput();
    assertEquals(held, script.session.heldOutput());
    script.session.data(script.stream(1), ByteBuffer.allocate(1_000), false);
    assertTrue(script.session.heldOutput() >= held + 1_000, "what is queued counts as well");
    script.session.recycle(taken);
    assertTrue(script.session.heldOutput() < 4_000, script.session.heldOutput() + " are held");
    script.output();
    assertTrue(script.session.heldOutput() < 4_000, script.session.heldOutput() + " are held");
  }

  @Test
  void streamsThatWaitTakeTurnsOfTwoFrames() {
    int[] ids = {1, 3, 5, 7};
    Script script = answering(ids);
    for (int id : ids) {
      fill(script, script.stream(id));
    }
    int[] taken = new int[8];
    for (int round = 0; round < 50; round++) {
      script.output();
      for (Http2Stream next; (next = script.session.pollWritable()) != null; ) {
        int turn = fill(script, next);
        assertEquals(2 * FRAME, turn);
        taken[next.id()] += turn;
      }
      // One whose turn it is not does not get in between.
      assertEquals(0, script.session.data(script.stream(1), ByteBuffer.allocate(100), false));
    }
    for (int id : ids) {
      assertTrue(
          taken[id] > taken[1] / 2 && taken[id] < taken[1] * 2,
          "unfair: " + java.util.Arrays.toString(taken));
    }
  }

  /** Sends until the session takes no more; returns how much it took. */
  private static int fill(Script script, Http2Stream stream) {
    int taken = 0;
    int more;
    do {
      more = script.session.data(stream, ByteBuffer.allocate(1_000_000), false);
      taken += more;
    } while (more > 0);
    return taken;
  }

  @Test
  void streamThatEndsLeavesItsTurnToTheOthers() {
    Script script = answering(1, 3, 5);
    script.session.data(script.stream(1), ByteBuffer.allocate(1_000_000), false);
    assertEquals(0, script.session.data(script.stream(3), ByteBuffer.allocate(10), false));
    assertEquals(0, script.session.data(script.stream(5), ByteBuffer.allocate(10), false));
    script.session.reset(script.stream(3), CANCEL);
    script.sends(rst(5, CANCEL));
    script.output();
    assertNull(script.session.pollWritable());
    assertEquals(10, script.session.data(script.stream(1), ByteBuffer.allocate(10), false));
  }

  // ---- order

  @Test
  void controlFramesOvertakeContent() {
    Script script = answering(1);
    script.session.data(script.stream(1), ByteBuffer.allocate(FRAME), false);
    script.sends(ping(1));
    script.replies(pingAck(1), data(1, 0, new byte[FRAME]));
  }

  @Test
  void resetDoesNotOvertakeTheFramesOfItsStream() {
    Script script = client();
    Http2Stream stream = script.get();
    script.session.reset(stream, CANCEL);
    script.replies(request(1), rst(1, CANCEL));
    Http2Stream second = script.post();
    script.output();
    script.get();
    script.session.reset(second, CANCEL);
    script.replies(rst(3, CANCEL), request(5));
  }

  @Test
  void idleSessionHoldsNoOutput() {
    Script script = client();
    script.get();
    script.output();
    script.sends(response(1));
    assertFalse(script.session.hasOutput());
    assertNull(script.session.takeOutput());
  }

  @Test
  void nextBatchMayBeTakenBeforeTheFirstIsGivenBack() {
    Script script = client();
    script.get();
    ByteBuffer[] first = script.session.takeOutput();
    byte[] before = bytes(first);
    script.get();
    ByteBuffer[] second = script.session.takeOutput();
    assertArrayEquals(before, bytes(first));
    script.session.recycle(first);
    script.session.recycle(second);
    script.get();
    script.replies(request(5));
  }

  private static byte[] bytes(ByteBuffer[] out) {
    byte[] copy = new byte[out[0].remaining()];
    out[0].get(out[0].position(), copy);
    return copy;
  }

  @Test
  void responseToAStreamThatWasResetIsDropped() {
    Script script = Script.server(Cut.WHOLE).sends(upload(1), rst(1, CANCEL));
    script.output();
    Http2Stream stream = script.stream(1);
    assertFalse(script.session.response(stream, Status.OK, Headers.empty(), false));
    assertFalse(script.session.interim(stream, Status.EARLY_HINTS, Headers.empty()));
    script.session.reset(stream, CANCEL);
    assertFalse(script.session.consumed(stream, 1));
    script.replies();
  }
}
