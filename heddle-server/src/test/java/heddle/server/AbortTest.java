package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler may give an exchange up; a response that could not be sent is replaced. */
@Timeout(60)
class AbortTest {
  /** What a handler does with an exchange that it aborts. */
  enum Ending {
    RETURNS_NULL,
    RETURNS_A_RESPONSE,
    THROWS
  }

  private static ExchangeHandler aborting(Ending ending) {
    return exchange -> {
      if (exchange.request().path().equals("/fine")) {
        return Response.ok("fine");
      }
      exchange.abort();
      return switch (ending) {
        case RETURNS_NULL -> null;
        case RETURNS_A_RESPONSE -> Response.ok("never sent");
        case THROWS -> throw new IllegalStateException("on purpose");
      };
    };
  }

  @ParameterizedTest
  @EnumSource
  void overHttp1TheConnectionIsClosedWithoutAResponse(Ending ending) throws Exception {
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(aborting(ending)).start();
        RawPeer peer = RawPeer.connect(server);
        RawPeer other = RawPeer.connect(server)) {
      assertEquals("", peer.get("/").rest());
      assertEquals("fine", other.get("/fine").answer().body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void overHttp2TheStreamIsResetAndOthersGoOn(Ending ending) throws Exception {
    Http2World.play(
        request -> Response.ok("replaced"),
        builder -> builder.exchangeHandler(aborting(ending)),
        (world, client) -> {
          client.handshake();
          client.sendGet(1, "/");
          client.expectRst(1, ErrorCode.INTERNAL_ERROR);
          client.sendGet(3, "/fine");
          client.expectResponse(3, 200);
        });
  }

  @Test
  void aResponseThatHasBegunIsCut() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.write('a');
      out.flush();
      exchange.abort();
      return null;
    };
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
        RawPeer peer = RawPeer.connect(server)) {
      assertThrows(EOFException.class, () -> peer.get("/").answer());
    }
  }

  @Test
  void aBegunResponseThatFailedBeforeItWasSentIsAnswered500() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(
          Response.builder(Status.OK).header("Content-Length", "5").build());
      assertThrows(IOException.class, out::close);
      return null; // as if nothing had happened
    };
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
    }
  }
}
