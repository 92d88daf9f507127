package heddle.client.coding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.http.Body;
import heddle.http.GzipBody;
import heddle.http.HeaderName;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.MessageTooLargeException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content codings in calls of a client, and what becomes of their connections. */
@Timeout(60)
class DecodedCallsTest {
  private static final byte[] CONTENT = Coded.content(new Random(1), 200_000);

  @AutoClose
  private ClientWorld world;

  private static String text(byte[] octets) {
    return new String(octets, ISO_8859_1);
  }

  private static ClientWorld world() {
    return new ClientWorld(client -> client.contentCodings(DecodingLimits.DEFAULTS));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void clientAsksDecodesAndUsesItsConnectionAgain(HttpVersion version) throws Exception {
    world =
        new ClientWorld(client -> client.contentCodings(DecodingLimits.DEFAULTS).version(version));
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        MockResponse coded =
            MockResponse.ok(Coded.gzip(CONTENT)).header("Content-Encoding", "gzip");
        server.answer("/", coded);
        server.answer("/chunked", coded.chunked());
        for (String path : new String[] {"/", "/chunked", "/"}) {
          Response response = world.client.send(Request.get(server.url(path)));
          assertFalse(response.headers().contains(HeaderName.CONTENT_ENCODING));
          assertFalse(response.headers().contains(HeaderName.CONTENT_LENGTH));
          assertEquals(path, response.request().target());
          assertArrayEquals(CONTENT, response.bytes());
          assertEquals(0, world.inUse());
        }
        assertEquals("gzip, deflate", server.requests().getFirst().header("Accept-Encoding"));
        assertEquals(1, server.connections());
        world.client.close();
      }
    });
  }

  @Test
  void clientAsksForNoCodingsByDefault() throws Exception {
    world = new ClientWorld(client -> client);
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        byte[] gzip = Coded.gzip(CONTENT);
        server.answer("/", MockResponse.ok(gzip).header("Content-Encoding", "gzip"));
        Response response = world.client.send(Request.get(server.url("/")));
        assertEquals("gzip", response.headers().first(HeaderName.CONTENT_ENCODING));
        assertArrayEquals(gzip, response.bytes());
        assertNull(server.requests().getFirst().header("Accept-Encoding"));
        world.client.close();
      }
    });
  }

  @Test
  void asynchronousCallsDecodeToo() throws Exception {
    world = world();
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        server.answer(
            "/", MockResponse.ok(Coded.zlib(CONTENT)).header("Content-Encoding", "deflate"));
        CompletableFuture<Response> future = world.client.sendAsync(Request.get(server.url("/")));
        world.untilOver(future);
        assertArrayEquals(CONTENT, future.get().bytes());
        world.client.close();
      }
    });
  }

  @Test
  void trailersAreThereAtTheEnd() throws Exception {
    String coded = text(Coded.gzip("Hello!".getBytes(UTF_8)));
    world = world();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
          + Integer.toHexString(coded.length()) + "\r\n" + coded
          + "\r\n0\r\nX-Sum: 7\r\n\r\n");
      c.expectEnd();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      try (InputStream in = response.body().stream()) {
        assertEquals("Hello!", text(in.readAllBytes()));
      }
      assertEquals("7", response.trailers().get().first("X-Sum"));
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void closingEarlyGivesTheConnectionUpAsWithoutACoding() throws Exception {
    String coded = text(Coded.gzip(CONTENT));
    world = world();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000000\r\n\r\n"
          + coded.substring(0, 40_000));
      c.expectEnd();
    });
    world.visit(peer -> {
      try (Response response = world.get(peer);
          InputStream in = response.body().stream()) {
        assertEquals(CONTENT[0], (byte) in.read());
      }
      world.until(() -> world.pool().open() == 0);
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void bombFailsTheReadAndGivesItsConnectionUp() throws Exception {
    String bomb = text(Coded.gzip(new byte[16 << 20]));
    world = world();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000000\r\n\r\n" + bomb);
      c.expectEnd();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      assertThrows(MessageTooLargeException.class, response::bytes);
      world.until(() -> world.pool().open() == 0);
    });
  }

  @Test
  void tooManyLayersFailTheCallAndSayWhere() throws Exception {
    world = world();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\n"
          + "Content-Length: 1000000\r\n\r\nx");
      c.expectEnd();
    });
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      ClientWorld.assertSays(failure, "coded 3 times");
      ClientWorld.assertSays(failure, "GET http://");
      world.until(() -> world.pool().open() == 0);
    });
  }

  @Test
  void redirectsAreFollowedThroughCodings() throws Exception {
    world = new ClientWorld(client ->
        client.contentCodings(DecodingLimits.DEFAULTS).redirects(RedirectPolicy.standard()));
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        server.answer(
            "/a",
            MockResponse.of(302)
                .header("Location", "/b")
                .header("Content-Encoding", "gzip")
                .body(Coded.gzip("moved".getBytes(UTF_8))));
        server.answer(
            "/b", MockResponse.ok(Coded.gzip(CONTENT)).header("Content-Encoding", "gzip"));
        Response response = world.client.send(Request.get(server.url("/a")));
        assertArrayEquals(CONTENT, response.bytes());
        assertEquals(1, response.earlier().size());
        assertEquals(1, server.connections());
        assertEquals("gzip, deflate", server.requests().getLast().header("Accept-Encoding"));
        world.client.close();
      }
    });
  }

  @Test
  void compressedRequestsArriveWhole() throws Exception {
    world = world();
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        server.answer("/", MockResponse.ok("thanks"));
        Request post = Request.post(server.url("/"), Body.of(CONTENT));
        assertEquals("thanks", world.client.send(GzipBody.compress(post)).string());
        assertEquals("gzip", server.requests().getFirst().header("Content-Encoding"));
        byte[] received = server.requests().getFirst().body();
        assertTrue(received.length < CONTENT.length);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(received))) {
          assertArrayEquals(CONTENT, in.readAllBytes());
        }
        world.client.close();
      }
    });
  }
}
