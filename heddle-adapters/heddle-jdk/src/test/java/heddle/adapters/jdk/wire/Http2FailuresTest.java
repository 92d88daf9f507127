package heddle.adapters.jdk.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.adapters.jdk.NewerApi;
import heddle.codec.http2.frame.ErrorCode;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Failures over HTTP/2 begin with the messages of the JDK's client, for callers that check them.
 */
@Timeout(60)
class Http2FailuresTest {
  private static void assertFails(
      Class<? extends IOException> kind, String words, Http2Server.Handler handler)
      throws Exception {
    try (Http2Server server = new Http2Server(handler)) {
      IOException failure = assertThrows(IOException.class, server::get);
      assertSame(kind, failure.getClass(), failure.toString());
      assertTrue(failure.getMessage().startsWith(words), failure.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CANCEL, Stream cancelled",
    "NO_ERROR, Not an error",
    "INTERNAL_ERROR, Internal error",
    "ENHANCE_YOUR_CALM, Processing capacity exceeded",
    "INADEQUATE_SECURITY, Negotiated TLS parameters not acceptable",
  })
  void aResetIsNamed(ErrorCode code, String words) throws Exception {
    assertFails(
        IOException.class,
        "Received RST_STREAM: " + words + ": ",
        (h2, stream) -> h2.sendRst(stream, code));
  }

  @Test
  void aRefusedRequestIsNamed() throws Exception {
    assertFails(
        IOException.class,
        "request not processed by peer: ",
        (h2, stream) -> h2.sendRst(stream, ErrorCode.REFUSED_STREAM));
  }

  @Test
  void theEndOfAConnectionIsReportedWhereverItOccurs() throws Exception {
    assertFails(IOException.class, "EOF reached while reading: ", (h2, stream) -> h2.connection()
        .close());
    assertFails(IOException.class, "EOF reached while reading: ", (h2, stream) -> {
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendData(stream, false, "hi");
      h2.connection().close();
    });
    assertFails(IOException.class, "EOF reached while reading: ", (h2, stream) -> {
      if (stream == 1) {
        h2.sendGoAway(1, ErrorCode.PROTOCOL_ERROR);
      }
      h2.connection().close();
    });
  }

  @Test
  void aConnectionThatIsResetIsNeitherAtItsEndNorOneOfHttp11() throws Exception {
    Http2Server.Handler resetting = (h2, stream) -> {
      if (stream > 1) {
        h2.connection().reset();
      } else {
        h2.sendResponse(1, 200, "hi");
      }
    };
    try (Http2Server server = new Http2Server(resetting)) {
      assertEquals("hi", server.get().body());
      // The GET is sent again on a new connection, whose first stream is answered.
      assertEquals("hi", server.get().body());
      IOException failure = assertThrows(IOException.class, server::post);
      assertTrue(failure.getMessage().startsWith("the connection was lost: "), failure.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    ":hello: GET, malformed response: Unknown pseudo-header",
    ":scheme: https, malformed response: Pseudo-header is not valid in context",
    "connection: close, malformed response: Prohibited header name",
    "a b: c, malformed response: Bad header",
    "Upper: c, malformed response: Bad header",
    "'space:  a ', malformed response: Bad header",
    "del: a\u007Fb, malformed response: Bad header",
  })
  void aFieldThatHttp2HasNotIsNamed(String field, String words) throws Exception {
    assertFails(
        ProtocolException.class,
        words,
        (h2, stream) -> h2.sendHeaders(stream, true, ":status: 200", field));
  }

  @Test
  void aValueOfSeveralLinesIsNamed() throws Exception {
    assertFails(
        ProtocolException.class,
        "malformed response: Bad header",
        (h2, stream) -> h2.sendHeaders(stream, true, ":status: 200", "lines: a\r\n  b"));
  }

  @Test
  void aPseudoFieldOutOfPlaceIsNamed() throws Exception {
    assertFails(
        ProtocolException.class,
        "malformed response: Unexpected pseudo-header",
        (h2, stream) -> h2.sendHeaders(stream, true, "hello: world", ":status: 200"));
  }

  @Test
  void aBrokenFrameIsNamed() throws Exception {
    assertFails(
        ProtocolException.class,
        "protocol error: ",
        (h2, stream) -> h2.sendFrame(4, 0, 0, (byte) 1));
  }

  @Test
  void aResponseHasALabelOfItsConnection() throws Exception {
    assumeTrue(NewerApi.IS_THERE, "connections have labels from Java 25 on");
    try (Http2Server server = new Http2Server((h2, stream) -> h2.sendResponse(stream, 200, "hi"))) {
      HttpResponse<String> first = server.get();
      assertEquals(
          NewerApi.connectionLabel(first).orElseThrow(),
          NewerApi.connectionLabel(server.get()).orElseThrow());
    }
  }
}
