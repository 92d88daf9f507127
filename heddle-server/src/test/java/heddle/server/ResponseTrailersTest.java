package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Head;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields after the body of a response, over both versions: RFC 9110 §6.5. */
@Timeout(60)
class ResponseTrailersTest {
  private static final Trailers SUM = Trailers.of(Headers.of("Sum", "17"));
  private static final String GET = "GET / HTTP/1.1\r\nHost: server\r\nTE: trailers\r\n\r\n";

  /** What an HTTP/1.1 client does. */
  @FunctionalInterface
  private interface Talk {
    void by(RawConnection client) throws Exception;
  }

  private static void http1(Handler handler, Talk talk) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .handler(handler);
        try (HttpServer server = builder.start();
            RawConnection client = RawConnection.connect(network, server.address())) {
          talk.by(client);
        }
      });
    }
  }

  private static Handler answering(Status status, Body body, Trailers trailers) {
    return request -> Response.builder(status).body(body).trailers(trailers).build();
  }

  private static Body summed(CheckedInputStream[] stream) {
    byte[] content = "hello".getBytes(StandardCharsets.ISO_8859_1);
    return Body.replayable(Body.UNKNOWN, () -> {
      stream[0] = new CheckedInputStream(new ByteArrayInputStream(content), new CRC32());
      return stream[0];
    });
  }

  /** Answers with the sum of what it has sent. */
  private static Response summing() {
    CheckedInputStream[] stream = new CheckedInputStream[1];
    return Response.builder(Status.OK)
        .body(summed(stream))
        .trailers(Trailers.of(
            () -> Headers.of("Sum", Long.toHexString(stream[0].getChecksum().getValue()))))
        .build();
  }

  @Test
  void http1AnnouncesKnownTrailersAndSendsThemAfterAnEmptyBodyToo() throws Exception {
    http1(answering(Status.OK, Body.empty(), SUM), client -> {
      for (int i = 0; i < 2; i++) {
        client.send(GET);
        String head = client.expectHead();
        assertTrue(head.contains("\r\nTrailer: Sum\r\n"), head);
        assertTrue(head.contains("\r\nTransfer-Encoding: chunked\r\n"), head);
        client.expect("0\r\nSum: 17\r\n\r\n");
      }
    });
  }

  @Test
  void http2AnnouncesKnownTrailersAndSendsThemAfterAnEmptyBodyToo() throws Exception {
    Http2World.play(answering(Status.OK, Body.empty(), SUM), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "GET", "/", true, "te: trailers");
      assertEquals("Sum", client.expectResponse(1, 200).value("trailer"));
      Http2Head trailers = client.expectHeaders(1);
      assertEquals("17", trailers.value("sum"));
      assertTrue(trailers.endStream());
    });
  }

  @Test
  void http1SendsNoTrailersWhereThereIsNoContentByRule() throws Exception {
    for (Status status : new Status[] {Status.NO_CONTENT, Status.NOT_MODIFIED}) {
      http1(answering(status, Body.empty(), SUM), client -> {
        client.send(GET + GET);
        assertFalse(client.expectHead().contains("chunked"));
        assertTrue(client.expectHead().startsWith("HTTP/1.1 " + status.code()));
      });
    }
    http1(answering(Status.OK, Body.of("text"), SUM), client -> {
      client.send(GET.replace("GET", "HEAD") + GET);
      client.expectHead();
      client.expectHead();
      client.expect("4\r\ntext\r\n0\r\nSum: 17\r\n\r\n");
    });
  }

  @Test
  void http1AsksForTheSumOfAStreamOnceItWasRead() throws Exception {
    http1(request -> summing(), client -> {
      client.send(GET);
      client.expectHead();
      client.expect("5\r\nhello\r\n0\r\nSum: 3610a686\r\n\r\n");
    });
  }

  @Test
  void http2AsksForTheSumOfAStreamOnceItWasRead() throws Exception {
    Http2World.play(request -> summing(), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "GET", "/", true, "te: trailers");
      client.expectResponse(1, 200);
      client.expectData(1);
      assertEquals("3610a686", client.expectHeaders(1).value("sum"));
    });
  }

  @Test
  void clientsThatDoNotAskForTrailersGetNone() throws Exception {
    http1(answering(Status.OK, Body.of("text"), SUM), client -> {
      client.send(GET.replace("TE: trailers\r\n", ""));
      String head = client.expectHead();
      assertTrue(head.contains("\r\nContent-Length: 4\r\n"), head);
      assertFalse(head.contains("Trailer"), head);
      client.expect("text");
    });
    Http2World.play(answering(Status.OK, Body.of("text"), SUM), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      assertNull(client.expectResponse(1, 200).value("trailer"));
      assertTrue(client.expectData(1).endStream());
    });
  }

  private static Response failing() {
    return Response.builder(Status.OK)
        .body(Body.of("text"))
        .trailers(Trailers.of(() -> {
          throw new IllegalArgumentException("no sum today");
        }))
        .build();
  }

  @Test
  void http1CutsAResponseWhoseTrailersFail() throws Exception {
    http1(request -> failing(), client -> {
      client.send(GET);
      client.expectHead();
      assertEquals("4\r\ntext\r\n", client.readToEnd());
    });
  }

  @Test
  void http2ResetsAResponseWhoseTrailersFail() throws Exception {
    Http2World.play(request -> failing(), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "GET", "/", true, "te: trailers");
      client.expectResponse(1, 200);
      client.expectData(1);
      client.expectRst(1, ErrorCode.INTERNAL_ERROR);
    });
  }

  @Test
  void knownTrailersThatMayNotBeAreAnswered500() throws Exception {
    Trailers forbidden = Trailers.of(Headers.of("Set-Cookie", "a=b"));
    http1(answering(Status.OK, Body.of("text"), forbidden), client -> {
      client.send(GET);
      assertTrue(client.expectHead().startsWith("HTTP/1.1 500 "));
    });
    Http2World.play(answering(Status.OK, Body.of("text"), forbidden), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "GET", "/", true, "te: trailers");
      client.expectResponse(1, 500);
    });
  }
}
