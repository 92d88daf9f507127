package heddle.codec.http2;

import static heddle.codec.http2.Wire.END_HEADERS;
import static heddle.codec.http2.Wire.END_STREAM;
import static heddle.codec.http2.Wire.block;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.indexed;
import static heddle.codec.http2.Wire.join;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.newest;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.preface;
import static heddle.codec.http2.Wire.pushPromise;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.frame.ErrorCode.COMPRESSION_ERROR;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.FRAME_SIZE_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.HeadTooLargeException;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Attacks on implementations of HTTP/2 that were published in 2025 and 2026. */
class AttacksTest {
  /** A field that is put into the table, then {@code count} references to it, each of one byte. */
  private static byte[] references(byte[] first, int count) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(first);
    for (int i = 0; i < count; i++) {
      out.writeBytes(newest());
    }
    return out.toByteArray();
  }

  /** CVE-2026-49975: near-empty fields of which each costs the sender a byte. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void referencesToNearEmptyFieldsAreBoundedByTheirNumber(Cut cut) {
    byte[] bomb = join(block(get()), references(indexed("x", ""), 200));
    Script server = Script.server(cut).sends(headers(1, END_HEADERS | END_STREAM, bomb));
    server.replies(headers(1, END_HEADERS | END_STREAM, new byte[0]));
    server.yields("error 1 ENHANCE_YOUR_CALM").isAlive();

    byte[] answer = join(block(ok()), references(indexed("x", ""), 200));
    Script client = Script.client(cut);
    client.get();
    client.output();
    client.sends(headers(1, END_HEADERS | END_STREAM, answer)).resets(1, ENHANCE_YOUR_CALM);
  }

  /** CVE-2026-49975: crumbs of a cookie count as the fields that they are. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void cookieCrumbsAreBoundedByTheirNumber(Cut cut) {
    byte[] crumbs = join(block(get()), references(indexed("cookie", "a"), 200));
    Script many = Script.server(cut).sends(headers(1, END_HEADERS | END_STREAM, crumbs));
    many.replies(headers(1, END_HEADERS | END_STREAM, new byte[0]));
    many.yields("error 1 ENHANCE_YOUR_CALM").isAlive();

    byte[] fewer = join(block(get()), references(indexed("cookie", "a"), 195));
    Script few = Script.server(cut).sends(headers(1, END_HEADERS | END_STREAM, fewer));
    assertNull(few.broken);
    assertEquals(1, few.lastHeaders.size());
    assertEquals("a; ".repeat(195) + "a", few.lastHeaders.first(HeaderName.COOKIE));
  }

  /** Requests that build on a large field of the table are counted as what they decode to. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void referencesToLargeFieldsAreBoundedByTheirSize(Cut cut) {
    byte[] large = indexed("x", "y".repeat(4_000));
    Script script = Script.server(cut);
    script.sends(headers(1, END_HEADERS | END_STREAM, join(block(get()), large)));
    script.yields("request 1 GET http a / " + script.lastHeaders, "end 1");
    byte[] five = join(block(get()), references(new byte[0], 5));
    script.sends(headers(3, END_HEADERS | END_STREAM, five));
    script.replies(headers(3, END_HEADERS | END_STREAM, new byte[0]));
    script.yields("error 3 ENHANCE_YOUR_CALM").isAlive();
  }

  /** CVE-2025-53506, CVE-2026-54428: a client that never acknowledges our SETTINGS. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void limitsHoldBeforeSettingsAreAcknowledged(Cut cut) {
    Http2Limits limits =
        Http2Limits.SERVER.toBuilder().maxStreams(2).heads(300, 200, 600, 8).build();
    Script script = Script.newServer(cut, limits).sends(preface(), settings());
    script.output();
    script.sends(request(1), request(3), request(5));
    script.replies(rst(5, REFUSED_STREAM));
    script.yields(
        "settings",
        "request 1 GET http a /",
        "end 1",
        "request 3 GET http a /",
        "end 3",
        "error 5 REFUSED_STREAM");
    script.answers(1, true).output();
    script.sends(lastHeaders(7, get("x", "y".repeat(300))));
    script.replies(headers(7, END_HEADERS | END_STREAM, new byte[0]));
    script.yields("error 7 ENHANCE_YOUR_CALM");
    script.sends(headers(9, END_HEADERS, new byte[601]));
    assertNotNull(script.broken);
    assertEquals(ENHANCE_YOUR_CALM, script.broken.code());
  }

  private static Script clientWithoutAcknowledgement(Cut cut) {
    Http2Limits limits = Http2Limits.CLIENT.toBuilder().heads(300, 200, 600, 8).build();
    Script script = Script.newClient(cut, limits).sends(settings());
    script.get();
    script.output();
    script.yields("settings");
    return script;
  }

  /** Frames that a server has no right to, whether or not it has acknowledged our SETTINGS. */
  static Stream<Arguments> excesses() {
    Map<ErrorCode, Wire> frames = new LinkedHashMap<>();
    frames.put(PROTOCOL_ERROR, pushPromise(1, 2));
    frames.put(FRAME_SIZE_ERROR, headers(1, END_HEADERS, new byte[16_385]));
    frames.put(ENHANCE_YOUR_CALM, headers(1, END_HEADERS, new byte[601]));
    frames.put(COMPRESSION_ERROR, headers(1, END_HEADERS, join(tableSize(4_097), block(ok()))));
    return frames.entrySet().stream().flatMap(each -> Stream.of(Cut.values())
        .map(cut -> Arguments.of(each.getKey(), each.getValue(), cut)));
  }

  /** CVE-2026-54428, from the other side: a server that never acknowledges our SETTINGS. */
  @ParameterizedTest
  @MethodSource("excesses")
  void limitsOfAClientHoldBeforeItsSettingsAreAcknowledged(ErrorCode code, Wire frame, Cut cut) {
    Script script = clientWithoutAcknowledgement(cut).sends(frame);
    assertNotNull(script.broken);
    assertEquals(code, script.broken.code());
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void headOfAResponseIsBoundedBeforeSettingsAreAcknowledged(Cut cut) {
    clientWithoutAcknowledgement(cut)
        .sends(lastHeaders(1, ok("x", "y".repeat(300))))
        .resets(1, ENHANCE_YOUR_CALM);
  }

  /** A dynamic table size update, RFC 7541 §6.3. */
  private static byte[] tableSize(int bytes) {
    var out = new ByteArrayOutputStream();
    out.write(0x3f);
    int rest = bytes - 31;
    for (; rest >= 0x80; rest >>>= 7) {
      out.write(rest & 0x7f | 0x80);
    }
    out.write(rest);
    return out.toByteArray();
  }

  /** CVE-2026-50560: what the peer does not take is not encoded, and harms nothing else. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void headsThatThePeerDoesNotTakeFailBeforeTheyAreEncoded(Cut cut) {
    Headers large = Headers.of("x", "y".repeat(1_000));
    Script client = Script.client(cut).sends(settings(0x6, 100));
    client.output();
    for (int i = 0; i < 100; i++) {
      assertThrows(
          HeadTooLargeException.class,
          () -> client.session.request(Method.GET, "http", "a", "/", large, true, null));
    }
    client.replies();
    assertEquals(0, client.session.openStreams());

    Script server = Script.server(cut).sends(settings(0x6, 0), request(1));
    server.output();
    Http2Stream stream = server.stream(1);
    assertThrows(
        HeadTooLargeException.class, () -> server.session.response(stream, Status.OK, large, true));
    server.replies();
    // What has no fields is sent, however little the client says that it takes.
    server.session.response(stream, Status.INTERNAL_SERVER_ERROR, Headers.empty(), true);
    server.replies(headers(1, END_HEADERS | END_STREAM, new byte[0]));
    server.isAlive();
  }

  /** CVE-2026-42584: interim responses do not shift which response is whose. */
  @ParameterizedTest
  @EnumSource(Cut.class)
  void interimResponsesStayWithTheirRequests(Cut cut) {
    Script script = Script.client(cut);
    script.session.request(Method.HEAD, "http", "a", "/", Headers.empty(), true, null);
    script.get();
    script.output();
    Wire hints = headers(1, ":status", "103", "content-length", "5");
    script.sends(hints, headers(3, ":status", "103"), hints);
    script.sends(
        headers(1, ok("content-length", "5")),
        headers(3, ok("content-length", "5")),
        Wire.lastData(3, "hello"),
        Wire.lastData(1, ""));
    script.yields(
        "interim 1 103 {Content-Length: 5}",
        "interim 3 103",
        "interim 1 103 {Content-Length: 5}",
        "response 1 200 {Content-Length: 5}",
        "response 3 200 {Content-Length: 5}",
        "data 3 hello",
        "end 3",
        "end 1");
    script.isAlive();
  }
}
