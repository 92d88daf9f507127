package heddle.codec.http2;

import static heddle.codec.http2.Wire.block;
import static heddle.codec.http2.Wire.get;
import static heddle.codec.http2.Wire.headers;
import static heddle.codec.http2.Wire.lastHeaders;
import static heddle.codec.http2.Wire.ok;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §8.2, §8.3: fields and control data. */
@ParameterizedClass
@EnumSource(Cut.class)
class FieldsTest {
  @Parameter
  private Cut cut;

  private void refused(String... fields) {
    Script.server(cut).sends(lastHeaders(1, fields)).resets(1, PROTOCOL_ERROR);
  }

  private void taken(String event, String... fields) {
    Script.server(cut).sends(lastHeaders(1, fields)).yields(event, "end 1").replies();
  }

  /** The pseudo-header fields of a request, in the usual order. */
  private static String[] head(String method, String scheme, String authority, String path) {
    return new String[] {
      ":method", method, ":scheme", scheme, ":authority", authority, ":path", path
    };
  }

  private Script asking() {
    Script script = Script.client(cut);
    script.get();
    script.output();
    return script;
  }

  private void refusedResponse(String... fields) {
    asking().sends(lastHeaders(1, fields)).resets(1, PROTOCOL_ERROR);
  }

  // ---- §8.2.1

  @Test
  void capitalLettersInANameResetTheStream() {
    refused(get("X-Test", "y"));
    refusedResponse(ok("X-Test", "y"));
  }

  @Test
  void nameThatIsNoTokenResetsTheStream() {
    for (String bad : new String[] {"", "a b", "a:b", "a\0", "a\u00e9", "a\u007f", "a\r\nb"}) {
      refused(get(bad, "y"));
      refusedResponse(ok(bad, "y"));
    }
  }

  @Test
  void valueThatCouldSplitAMessageResetsTheStream() {
    for (String bad : new String[] {"a\rb", "a\nb", "a\0b", "\r\n", "a\u007fb"}) {
      refused(get("x", bad));
      refusedResponse(ok("x", bad));
    }
  }

  @Test
  void whiteSpaceAroundAValueResetsTheStream() {
    for (String bad : new String[] {" a", "a ", "\ta", "a\t", " "}) {
      refused(get("x", bad));
      refusedResponse(ok("x", bad));
    }
  }

  @Test
  void emptyValueAndBytesAboveAsciiAreTaken() {
    taken("request 1 GET http a / {x: , y: \u00e9}", get("x", "", "y", "\u00e9"));
  }

  // ---- §8.2.2

  @Test
  void connectionSpecificFieldsResetTheStream() {
    String[] names = {"connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"
    };
    for (String name : names) {
      refused(get(name, "x"));
      refusedResponse(ok(name, "x"));
    }
  }

  @Test
  void teMaySayTrailersAndNothingElse() {
    taken("request 1 GET http a / {TE: trailers}", get("te", "trailers"));
    refused(get("te", "gzip"));
    refused(get("te", "trailers, gzip"));
    refused(get("te", "trailers;q=0.5"));
  }

  // ---- §8.2.3

  @Test
  void crumbsOfACookieAreJoined() {
    Script script = Script.server(cut);
    script.sends(lastHeaders(1, get("cookie", "a=1", "x", "y", "cookie", "b=2")));
    assertEquals("a=1; b=2", headersOf(script).first("Cookie"));
    assertEquals(2, headersOf(script).size());
  }

  private static heddle.http.Headers headersOf(Script script) {
    return script.lastHeaders;
  }

  // ---- §8.3

  @Test
  void pseudoHeaderFieldAfterAnotherFieldResetsTheStream() {
    refused(":method", "GET", ":scheme", "http", ":authority", "a", "x", "y", ":path", "/");
    refusedResponse("x", "y", ":status", "200");
  }

  @Test
  void pseudoHeaderFieldGivenTwiceResetsTheStream() {
    refused(get(":path", "/"));
    refusedResponse(ok(":status", "200"));
  }

  @Test
  void unknownPseudoHeaderFieldResetsTheStream() {
    refused(get(":test", "x"));
    refusedResponse(ok(":test", "x"));
  }

  @Test
  void pseudoHeaderFieldOfTheOtherKindOfMessageResetsTheStream() {
    refused(get(":status", "200"));
    refusedResponse(ok(":path", "/"));
    refusedResponse(ok(":method", "GET"));
  }

  @Test
  void missingPseudoHeaderFieldResetsTheStream() {
    refused(":scheme", "http", ":authority", "a", ":path", "/");
    refused(":method", "GET", ":authority", "a", ":path", "/");
    refused(":method", "GET", ":scheme", "http", ":authority", "a");
    refused("x", "y");
    refusedResponse("x", "y");
  }

  // ---- §8.3.1

  @Test
  void methodMustBeAToken() {
    refused(head("", "http", "a", "/"));
    refused(head("G T", "http", "a", "/"));
  }

  @Test
  void schemeMustBeOne() {
    refused(head("GET", "", "a", "/"));
    refused(head("GET", "1a", "a", "/"));
    refused(head("GET", "ht tp", "a", "/"));
  }

  @Test
  void pathMustBeOne() {
    for (String bad : new String[] {"", "a", "*", "/a b", "/#x", "/\u00e9", "http://a/", "/\0"}) {
      refused(head("GET", "http", "a", bad));
    }
  }

  @Test
  void asteriskGoesWithOptions() {
    taken("request 1 OPTIONS http a *", head("OPTIONS", "http", "a", "*"));
  }

  @Test
  void authorityMustBeHostAndPort() {
    for (String bad : new String[] {"", "u@a", "a:b", "a b", "a/b", "[::1", "a:1:2", "a%zz"}) {
      refused(head("GET", "http", bad, "/"));
    }
    for (String good : new String[] {"a", "a:80", "[::1]:80", "a.b", "1.2.3.4", "a%20b"}) {
      taken("request 1 GET http " + good + " /", head("GET", "http", good, "/"));
    }
  }

  @Test
  void hostStandsInForAMissingAuthority() {
    String[] withHost = {":method", "GET", ":scheme", "http", ":path", "/", "host", "b"};
    taken("request 1 GET http b / {Host: b}", withHost);
    refused(":method", "GET", ":scheme", "http", ":path", "/");
    refused(":method", "GET", ":scheme", "http", ":path", "/", "host", "u@b");
  }

  @Test
  void hostMustNotContradictTheAuthority() {
    taken("request 1 GET http a / {Host: A}", get("host", "A"));
    refused(get("host", "b"));
    refused(get("host", "a", "host", "a"));
  }

  // ---- §8.3.2

  @Test
  void statusMustBeThreeDigits() {
    for (String bad : new String[] {"", "20", "2000", "2x0", "099", " 200", "-20"}) {
      refusedResponse(":status", bad);
    }
  }

  // ---- heads that repeat

  @Test
  void headThatRepeatsIsTheSameInstance() {
    Script script = Script.server(cut);
    script.sends(headers(1, get("accept", "x", "content-length", "0")));
    heddle.http.Headers first = script.lastHeaders;
    script.sends(headers(3, get("accept", "x", "content-length", "0")));
    assertSame(first, script.lastHeaders);
    script.sends(headers(5, get("accept", "x", "content-length", "1")));
    assertEquals("1", script.lastHeaders.first("Content-Length"));
    script.sends(headers(7, get("accept", "x")));
    assertEquals(1, script.lastHeaders.size());
    script.sends(headers(9, get("accept", "x", "content-length", "0")));
    assertSame(first, script.lastHeaders);
  }

  @Test
  void blockOfNothingIsNoHead() {
    Script.server(cut).sends(headers(1, Wire.END_HEADERS, block())).resets(1, PROTOCOL_ERROR);
  }
}
