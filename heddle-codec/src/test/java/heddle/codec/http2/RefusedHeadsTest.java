package heddle.codec.http2;

import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.settingsAck;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.HeadTooLargeException;
import heddle.codec.hpack.HpackDecoder;
import heddle.codec.hpack.HpackException;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.hpack.HpackSink;
import heddle.codec.http2.frame.FrameHeader;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Heads that are not sent: what they leave of the connection, and of HPACK's table. */
class RefusedHeadsTest {
  private static final int MAX_HEADER_LIST_SIZE = 6;

  /** Size of :method: GET, :scheme: http, :authority: a, :path: / (RFC 9113 §6.5.2). */
  private static final int GET_BYTES = 4 * 32 + 7 + 3 + 7 + 4 + 10 + 1 + 5 + 1;

  private static Script clientOfServerThatTakes(int bytes) {
    return Script.client(Cut.WHOLE)
        .sends(settings(MAX_HEADER_LIST_SIZE, bytes))
        .replies(settingsAck());
  }

  private static HpackDecoder decoder() {
    return new HpackDecoder(4_096, 65_536, 200);
  }

  private static Http2Stream get(Script script, Headers headers) {
    return script.session.request(Method.GET, "http", "a", "/", headers, true, null);
  }

  @Test
  void requestIsAsLargeAsThePeerTakesAndNoByteMore() throws HpackException {
    Headers fields = Headers.of("X-A", "12345");
    int bytes = GET_BYTES + 32 + 3 + 5;
    Script roomy = clientOfServerThatTakes(bytes);
    get(roomy, fields);
    assertEquals(
        List.of(":method: GET, :scheme: http, :authority: a, :path: /, x-a: 12345"),
        SendingTest.heads(roomy, decoder()));
    Script tight = clientOfServerThatTakes(bytes - 1);
    HeadTooLargeException refused =
        assertThrows(HeadTooLargeException.class, () -> get(tight, fields));
    assertEquals(
        "its fields are " + bytes + " bytes, and the peer takes " + (bytes - 1)
            + ": send fewer or shorter ones",
        refused.getMessage());
    tight.replies().isAlive();
  }

  @Test
  void refusedRequestLeavesTheTableInStepWithThePeers() throws HpackException {
    Script script = clientOfServerThatTakes(300);
    HpackDecoder decoder = decoder();
    get(script, Headers.of("X-First", "1"));
    SendingTest.heads(script, decoder);
    Headers large = Headers.of("X-New", "2", "X-Large", "y".repeat(200));
    Headers odd = Headers.of("X-Odd", "3", "Content-Length", "many");
    for (int i = 0; i < 3; i++) {
      assertThrows(HeadTooLargeException.class, () -> get(script, large));
      assertThrows(IllegalArgumentException.class, () -> get(script, odd));
      Http2Stream next = get(script, Headers.of("X-First", "1", "X-New", "2", "X-Odd", "3"));
      assertEquals(2 * i + 3, next.id());
      assertEquals(
          List.of(":method: GET, :scheme: http, :authority: a, :path: /, x-first: 1, x-new: 2,"
              + " x-odd: 3"),
          SendingTest.heads(script, decoder));
    }
  }

  @Test
  void blockThatBreaksOffIsAbandoned() throws HpackException {
    HeadSender heads = new HeadSender();
    HpackOutput out = new HpackOutput(64);
    Headers missing = null;
    // It fails behind the authority, which is in our table by then and never in the peer's.
    assertThrows(
        NullPointerException.class,
        () -> heads.request(out, 1, true, Method.CONNECT, null, "lost:1", null, null, missing));
    assertEquals(0, out.length());
    HpackDecoder decoder = decoder();
    List<String> fields = new ArrayList<>();
    for (String value : List.of("1", "2")) {
      Headers headers = Headers.of("X-A", value);
      out.reset();
      heads.request(out, 1, true, Method.GET, "http", "lost:1", "/", null, headers);
      int from = FrameHeader.BYTES;
      decoder.decode(out.array(), from, out.length() - from, new HpackSink() {
        @Override
        public void field(HpackField field) {
          fields.add(field.toString());
        }

        @Override
        public void malformed(Kind kind, String why) {
          throw new AssertionError(why);
        }
      });
    }
    assertEquals(
        List.of(":method: GET", ":scheme: http", ":authority: lost:1", ":path: /", "x-a: 1"),
        fields.subList(0, 5));
    assertEquals("x-a: 2", fields.getLast());
  }

  @Test
  void fieldsThatAreLeftOutDoNotCount() {
    Script script = clientOfServerThatTakes(GET_BYTES);
    get(script, Headers.of("Connection", "X-Hop", "X-Hop", "1", "Host", "b", "TE", "gzip"));
    script.replies(request(1));
  }

  @Test
  void headThatRepeatsIsHeldAgainstANewLimit() {
    Script script = Script.client(Cut.WHOLE);
    Headers fields = Headers.of("X-A", "1");
    for (int i = 0; i < 4; i++) {
      get(script, fields);
    }
    script.output();
    script.sends(settings(MAX_HEADER_LIST_SIZE, GET_BYTES)).replies(settingsAck());
    assertThrows(HeadTooLargeException.class, () -> get(script, fields));
    script.sends(settings(MAX_HEADER_LIST_SIZE, 2 * GET_BYTES)).replies(settingsAck());
    get(script, fields);
    script.replies(request(9));
  }

  @Test
  void tunnelThatThePeerDoesNotTakeIsNotOpened() {
    Script script = clientOfServerThatTakes(100);
    Headers large = Headers.of("X-Large", "y".repeat(100));
    assertThrows(HeadTooLargeException.class, () -> script.session.connect("a:1", large, null));
    script.replies();
    assertEquals(0, script.session.openStreams());
  }

  @Test
  void responseThatThePeerDoesNotTakeLeavesRoomForAnother() {
    Script script = Script.server(Cut.WHOLE)
        .sends(settings(MAX_HEADER_LIST_SIZE, 50), request(1))
        .replies(settingsAck());
    Headers large = Headers.of("X-Large", "y".repeat(30));
    Http2Stream stream = script.stream(1);
    assertThrows(
        HeadTooLargeException.class, () -> script.session.response(stream, Status.OK, large, true));
    script.replies();
    script.session.response(stream, Status.INTERNAL_SERVER_ERROR, Headers.empty(), true);
    script.replies(response(1));
  }

  @Test
  void trailersThatThePeerDoesNotTakeLeaveTheStreamToBeEnded() {
    Script script = Script.server(Cut.WHOLE)
        .sends(settings(MAX_HEADER_LIST_SIZE, 50), request(1))
        .answers(1, false);
    script.output();
    Http2Stream stream = script.stream(1);
    script.session.data(stream, ByteBuffer.allocate(3), false);
    assertThrows(
        HeadTooLargeException.class,
        () -> script.session.trailers(stream, Headers.of("X-Large", "y".repeat(30))));
    script.session.trailers(stream, Headers.of("Sum", "7"));
    script.replies(data(1, "abc"), lastHeaders(1, "sum", "7"));
  }

  @Test
  void statusAloneIsSaidToPeersThatTakeNothing() {
    Http2Limits limits =
        Http2Limits.SERVER.toBuilder().heads(300, 200, 60_000, 8).build();
    Script script = Script.server(Cut.WHOLE, limits).sends(settings(MAX_HEADER_LIST_SIZE, 0));
    script.output();
    script.sends(lastHeaders(1, Wire.get("x", "y".repeat(300))));
    script.replies(response(1));
  }
}
