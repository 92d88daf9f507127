package heddle.codec.http2;

import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.Wire.post;
import static heddle.codec.http2.Wire.request;
import static heddle.codec.http2.Wire.response;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.ENHANCE_YOUR_CALM;
import static heddle.codec.http2.frame.ErrorCode.NO_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.REFUSED_STREAM;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Headers;
import heddle.http.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §8.1, §8.5, §8.6, §8.7 and RFC 8441: what frames make a message. */
@ParameterizedClass
@EnumSource(Cut.class)
class MessagesTest {
  private static final String UPLOAD = "request 1 POST http a /";

  @Parameter
  private Cut cut;

  private Script open() {
    return Script.server(cut).sends(upload(1)).yields(UPLOAD);
  }

  private Script asking(Method method) {
    Script script = Script.client(cut);
    script.session.request(method, "http", "a", "/", Headers.empty(), true, null);
    script.output();
    return script;
  }

  private Script asking() {
    return asking(Method.GET);
  }

  // ---- §8.1

  @Test
  void requestIsAHeadContentAndTrailers() {
    open()
        .sends(data(1, "ab"), data(1, "c"), lastHeaders(1, "sum", "7"))
        .yields("data 1 abc", "trailers 1 {sum: 7}", "end 1")
        .replies();
  }

  @Test
  void responseIsInterimResponsesAHeadContentAndTrailers() {
    asking()
        .sends(
            headers(1, ":status", "103", "link", "x"),
            headers(1, ":status", "100"),
            headers(1, ok("a", "b")),
            data(1, "hello"),
            lastHeaders(1, "sum", "7"))
        .yields(
            "interim 1 103 {Link: x}",
            "interim 1 100",
            "response 1 200 {a: b}",
            "data 1 hello",
            "trailers 1 {sum: 7}",
            "end 1")
        .replies();
  }

  @Test
  void emptyDataThatEndsTheStreamIsItsEnd() {
    open().sends(lastData(1, "")).yields("end 1");
    asking().sends(headers(1, ok()), lastData(1, "")).yields("response 1 200", "end 1");
  }

  @Test
  void secondHeadResetsTheStream() {
    open().sends(headers(1, post())).resets(1, PROTOCOL_ERROR);
    asking()
        .sends(headers(1, ok()))
        .yields("response 1 200")
        .sends(headers(1, ok()))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void trailersMustEndTheStream() {
    open().sends(headers(1, "sum", "7")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void trailersMustNotHoldPseudoHeaderFields() {
    open().sends(lastHeaders(1, ":path", "/")).resets(1, PROTOCOL_ERROR);
    asking()
        .sends(headers(1, ok()))
        .yields("response 1 200")
        .sends(lastHeaders(1, ok()))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void trailersThatFrameTheMessageAreRefused() {
    open().sends(lastHeaders(1, "content-length", "0")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void trailersThatMayNotBeActedUponAreDropped() {
    open()
        .sends(lastHeaders(1, "authorization", "x", "if-match", "y", "sum", "7"))
        .yields("trailers 1 {sum: 7}", "end 1");
  }

  @Test
  void contentBeforeTheHeadResetsTheStream() {
    asking().sends(data(1, "x")).resets(1, PROTOCOL_ERROR);
    asking()
        .sends(headers(1, ":status", "100"))
        .yields("interim 1 100")
        .sends(data(1, "x"))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void interimResponseMustNotEndTheStream() {
    asking().sends(lastHeaders(1, ":status", "100")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void interimResponsesAreBounded() {
    Script script = asking();
    for (int i = 0; i < 8; i++) {
      script.sends(headers(1, ":status", "103")).yields("interim 1 103");
    }
    script.sends(headers(1, ":status", "103")).resets(1, ENHANCE_YOUR_CALM);
  }

  @Test
  void responseMayComeBeforeTheRequestIsComplete() {
    Script script = Script.client(cut);
    Http2Stream stream = script.post();
    script.output();
    script.sends(response(1), rst(1, NO_ERROR));
    script.yields("response 1 200", "end 1", "reset 1 NO_ERROR").replies();
    assertEquals(StreamState.CLOSED, stream.state());
    assertEquals(0, script.session.openStreams());
  }

  @Test
  void refusedStreamIsToldAsSuch() {
    asking().sends(rst(1, REFUSED_STREAM)).yields("reset 1 REFUSED_STREAM").replies();
  }

  // ---- §8.1.1

  @Test
  void contentShorterThanAnnouncedResetsTheStream() {
    Script.server(cut)
        .sends(headers(1, post("content-length", "5")), lastData(1, "four"))
        .replies(rst(1, PROTOCOL_ERROR))
        .isAlive();
    Script.server(cut).sends(lastHeaders(1, post("content-length", "1"))).resets(1, PROTOCOL_ERROR);
    asking()
        .sends(headers(1, ok("content-length", "5")), lastData(1, "four"))
        .replies(rst(1, PROTOCOL_ERROR));
    asking().sends(lastHeaders(1, ok("content-length", "5"))).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void contentLongerThanAnnouncedResetsTheStream() {
    Script.server(cut)
        .sends(headers(1, post("content-length", "3")), data(1, "four"))
        .replies(rst(1, PROTOCOL_ERROR))
        .isAlive();
    asking()
        .sends(headers(1, ok("content-length", "3")), data(1, "ab"), data(1, "cd"))
        .replies(rst(1, PROTOCOL_ERROR));
  }

  @Test
  void trailersEndContentOfTheAnnouncedLengthOnly() {
    Script.server(cut)
        .sends(headers(1, post("content-length", "3")), data(1, "ab"), lastHeaders(1, "x", "y"))
        .replies(rst(1, PROTOCOL_ERROR));
  }

  @Test
  void contentOfTheAnnouncedLengthIsTaken() {
    Script.server(cut)
        .sends(headers(1, post("content-length", "4")), data(1, "fo"), lastData(1, "ur"))
        .yields("request 1 POST http a / {Content-Length: 4}", "data 1 four", "end 1");
  }

  @Test
  void lengthThatIsNoneResetsTheStream() {
    for (String bad : new String[] {"-1", "+1", "1, 1", "0x1", "", "9223372036854775808"}) {
      Script.server(cut).sends(headers(1, post("content-length", bad))).resets(1, PROTOCOL_ERROR);
    }
    Script.server(cut)
        .sends(headers(1, post("content-length", "1", "content-length", "1")))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void responsesWithoutContentMayAnnounceALength() {
    asking(Method.HEAD)
        .sends(lastHeaders(1, ok("content-length", "5")))
        .yields("response 1 200 {Content-Length: 5}", "end 1");
    asking()
        .sends(lastHeaders(1, ":status", "304", "content-length", "5"))
        .yields("response 1 304 {Content-Length: 5}", "end 1");
  }

  @Test
  void responsesWithoutContentMustNotHaveAny() {
    asking(Method.HEAD).sends(headers(1, ok()), data(1, "x")).replies(rst(1, PROTOCOL_ERROR));
    asking().sends(headers(1, ":status", "204"), data(1, "x")).replies(rst(1, PROTOCOL_ERROR));
    asking().sends(headers(1, ":status", "304"), lastData(1, "")).yields("response 1 304", "end 1");
  }

  @Test
  void malformedRequestEndsItsStreamAlone() {
    Script script = Script.server(cut).sends(upload(1)).yields(UPLOAD);
    script.sends(request(3), lastHeaders(5, get("connection", "close")));
    script.replies(rst(5, PROTOCOL_ERROR));
    script.sends(lastData(1, "x"));
    script.yields("request 3 GET http a /", "end 3", "error 5 PROTOCOL_ERROR", "data 1 x", "end 1");
  }

  // ---- §8.5

  @Test
  void connectIsATunnel() {
    Script script = Script.server(cut);
    script.sends(headers(1, ":method", "CONNECT", ":authority", "far:443"));
    script.yields("request 1 CONNECT - far:443 far:443");
    script.answers(1, false).replies(headers(1, ok()));
    script.sends(data(1, "x")).yields("data 1 x");
    script.sends(lastHeaders(1, "sum", "7")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void connectWithSchemeOrPathResetsTheStream() {
    Script.server(cut)
        .sends(headers(1, ":method", "CONNECT", ":scheme", "http", ":authority", "far:443"))
        .resets(1, PROTOCOL_ERROR);
    Script.server(cut)
        .sends(headers(1, ":method", "CONNECT", ":path", "/", ":authority", "far:443"))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void connectNeedsHostAndPort() {
    Script.server(cut).sends(headers(1, ":method", "CONNECT")).resets(1, PROTOCOL_ERROR);
    for (String bad : new String[] {"far", "far:", ":443", "u@far:443", "far:99999"}) {
      Script.server(cut)
          .sends(headers(1, ":method", "CONNECT", ":authority", bad))
          .resets(1, PROTOCOL_ERROR);
    }
  }

  @Test
  void clientSeesATunnelToo() {
    Script script = Script.client(cut);
    script.session.connect("far:443", Headers.empty(), null);
    script.replies(headers(1, ok()));
    script.sends(headers(1, ok("content-length", "1")), data(1, "tunnel"));
    script.yields("response 1 200 {Content-Length: 1}", "data 1 tunnel").replies();
    script.sends(lastHeaders(1, "sum", "7")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void tunnelThatWasRefusedIsAnOrdinaryResponse() {
    Script script = Script.client(cut);
    script.session.connect("far:443", Headers.empty(), null);
    script.output();
    script.sends(headers(1, ":status", "403"), data(1, "no"), lastHeaders(1, "sum", "7"));
    script.yields("response 1 403", "data 1 no", "trailers 1 {sum: 7}", "end 1");
  }

  // ---- RFC 8441

  @Test
  void extendedConnectIsTaken() {
    Script.server(cut, Http2Limits.SERVER.toBuilder().extendedConnect().build())
        .sends(headers(1, extended(":protocol", "websocket")))
        .yields("request 1 CONNECT https a /chat websocket");
  }

  @Test
  void extendedConnectThatWasNotOfferedResetsTheStream() {
    Script.server(cut)
        .sends(headers(1, extended(":protocol", "websocket")))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void protocolWithoutConnectResetsTheStream() {
    Script.server(cut, Http2Limits.SERVER.toBuilder().extendedConnect().build())
        .sends(headers(1, get(":protocol", "websocket")))
        .resets(1, PROTOCOL_ERROR);
  }

  @Test
  void extendedConnectNeedsAllItsParts() {
    Script.server(cut, Http2Limits.SERVER.toBuilder().extendedConnect().build())
        .sends(headers(
            1, ":method", "CONNECT", ":protocol", "websocket", ":authority", "a", ":path", "/"))
        .resets(1, PROTOCOL_ERROR);
  }

  private static String[] extended(String... more) {
    String[] fields = {":method", "CONNECT", ":scheme", "https", ":authority", "a", ":path", "/chat"
    };
    String[] all = java.util.Arrays.copyOf(fields, fields.length + more.length);
    System.arraycopy(more, 0, all, fields.length, more.length);
    return all;
  }

  // ---- §8.6

  @Test
  void switchingProtocolsResetsTheStream() {
    asking().sends(headers(1, ":status", "101")).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void requestWhoseFieldsAreTooLargeIsAnswered431() {
    Http2Limits limits =
        Http2Limits.SERVER.toBuilder().heads(300, 200, 60_000, 8).build();
    Script script = Script.server(cut, limits);
    script.sends(lastHeaders(1, get("x", "y".repeat(300))));
    script.replies(response(1)).yields("error 1 ENHANCE_YOUR_CALM");
    script.sends(headers(3, post("x", "y".repeat(300))), data(3, "late"));
    script.replies(response(3), rst(3, NO_ERROR)).yields("error 3 ENHANCE_YOUR_CALM");
    script.sends(rst(3, CANCEL), request(5)).yields("request 5 GET http a /", "end 5");
  }

  @Test
  void responseWhoseFieldsAreTooLargeResetsTheStream() {
    Script script = Script.client(
        cut, Http2Limits.CLIENT.toBuilder().heads(300, 200, 60_000, 8).build());
    script.get();
    script.output();
    script.sends(headers(1, ok("x", "y".repeat(300)))).resets(1, ENHANCE_YOUR_CALM);
  }
}
