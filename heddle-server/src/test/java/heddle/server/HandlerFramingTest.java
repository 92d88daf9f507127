package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler's own fields say about the length of its response. */
@Timeout(60)
class HandlerFramingTest {
  @Test
  void theLengthOfAResponseToHeadIsNotThatOfItsContent() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange
          .begin(Response.builder(Status.OK).header("Content-Length", "5").build())
          .close();
      return null;
    };
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("HEAD / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
      String response = peer.rest();
      assertTrue(response.startsWith("HTTP/1.1 200 "), response);
      assertTrue(response.contains("Content-Length: 5\r\n"), response);
    }
  }

  @Test
  void aWrittenBodyWithAMalformedLengthIsAnswered500() throws IOException {
    try (HttpServer server = HttpServer.builder()
            .handler(request -> Response.builder(Status.OK)
                .header(HeaderName.CONTENT_LENGTH, "five")
                .body(Body.written(out -> out.write(new byte[5])))
                .build())
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertTrue(answer.head().startsWith("HTTP/1.1 500 "), answer.head());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300_000})
  void aHandlerMayAskForChunks(int length) throws IOException {
    String content = "x".repeat(length);
    try (HttpServer server = HttpServer.builder()
            .handler(request -> Response.builder(Status.OK)
                .header(HeaderName.TRANSFER_ENCODING, "chunked")
                .body(Body.of(content))
                .build())
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      for (int i = 0; i < 2; i++) {
        RawPeer.Answer answer = peer.get("/").answer();
        assertTrue(answer.hasLine("Transfer-Encoding: chunked"), answer.head());
        assertEquals(content, answer.body());
      }
    }
  }
}
