package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.http2.frame.Frame;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import java.net.InetSocketAddress;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a client's fault, and what does not. */
class ClientFaultsTest {
  private static final Handler ECHO =
      request -> Response.ok("got " + request.body().string());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      200 | 0 | GET / HTTP/1.1~Host: t~~
      501 | 0 | CONNECT t:80 HTTP/1.1~Host: t~~
      400 | 1 | GET / HTTP/1.1~Host : t~~
      400 | 1 | POST / HTTP/1.1~Host: t~Transfer-Encoding: chunked~~x~
      413 | 1 | POST / HTTP/1.1~Host: t~Content-Length: 101~~
      413 | 1 | POST / HTTP/1.1~Host: t~Transfer-Encoding: chunked~~65~
      408 | 1 | GET / HTTP/1.1~Host
      408 | 1 | POST / HTTP/1.1~Host: t~Content-Length: 9~~begin
      408 | 1 | POST / HTTP/1.1~Host: t~Transfer-Encoding: chunked~~1~
      """)
  void overHttp1(int status, int faults, String sent) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(network)
                .executor(network.executor())
                .address(InetSocketAddress.createUnresolved("server", 80))
                .handler(ECHO)
                .maxBodyBytes(100)
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          peer.send(sent.replace("~", "\r\n") + (sent.endsWith("65~") ? "x".repeat(101) : ""));
          assertEquals(status, peer.answer().status());
          assertEquals(faults, server.clientFaults());
        }
      });
    }
  }

  @Test
  void aRequestThatIsTooLargeCountsOnceAndItsConnectionGoesOn() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      String[] fields = Collections.nCopies(201, "y: z").toArray(String[]::new);
      client.sendRequest(1, "GET", "/", true, fields);
      client.expectResponse(1, 431);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
      assertEquals(1, world.server.clientFaults());
    });
  }

  @Test
  void aFloodCountsAsOneFault() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      Frame ping = new Frame.Ping(false, 1);
      client.send(Collections.nCopies(10_000, ping).toArray(Frame[]::new));
      world.await("the flood has ended", () -> world.server.connections() == 0);
      assertEquals(1, world.server.clientFaults());
    });
  }
}
