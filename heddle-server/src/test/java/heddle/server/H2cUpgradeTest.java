package heddle.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The upgrade from HTTP/1.1 to HTTP/2 in cleartext, RFC 7540 section 3.2. */
class H2cUpgradeTest {
  private static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";

  /** The fields of an offer whose SETTINGS say nothing. */
  private static final String OFFER =
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n";

  private static final String REQUEST = "GET /first?q HTTP/1.1\r\nHost: t:80\r\n" + OFFER + "\r\n";

  private static final Handler TARGET = request -> Response.ok(request.target());

  private static void play(Handler handler, Http2World.Script script) throws Exception {
    Http2World.play(handler, builder -> builder.upgradeToH2c(true), script);
  }

  private static void switchTo2(Http2Peer client) throws IOException {
    client.connection().expect(SWITCHING);
    client.expectSettings();
    client.sendPreface();
    client.sendSettings();
  }

  private static void expectContent(Http2Peer client, int stream, String content)
      throws IOException {
    client.expectResponse(stream, 200);
    assertEquals(content, new String(client.expectContent(stream), UTF_8));
  }

  @Test
  void theRequestIsAnsweredOnStreamOneAndOthersFollow() throws Exception {
    for (int bytes = 1; bytes < 20; bytes++) {
      Http2World.play(
          SimNetwork.builder().seed(bytes).maxReadBytes(bytes),
          TARGET,
          builder -> builder.upgradeToH2c(true),
          (world, client) -> {
            client.connection().send(REQUEST);
            switchTo2(client);
            expectContent(client, 1, "/first?q");
            client.expectSettingsAck();
            client.sendSettingsAck();
            client.sendGet(3, "/second");
            expectContent(client, 3, "/second");
          });
    }
  }

  @Test
  void theAnswerNeedNotWaitForThePrefaceOfHttp2() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send(REQUEST);
      client.connection().expect(SWITCHING);
      client.expectSettings();
      expectContent(client, 1, "/first?q");
    });
  }

  @Test
  void theHandlerSeesNoFieldsOfTheConnection() throws Exception {
    List<Headers> seen = new ArrayList<>();
    Handler handler = request -> {
      seen.add(request.headers());
      return Response.ok(request.origin() + request.target());
    };
    play(handler, (world, client) -> {
      client
          .connection()
          .send("GET /a HTTP/1.1\r\nhost: t:81\r\nX-Kept: yes\r\nX-Dropped: no\r\n"
              + "Connection: X-Dropped\r\nTE: deflate\r\nKeep-Alive: 5\r\n" + OFFER + "\r\n");
      switchTo2(client);
      expectContent(client, 1, "http://t:81/a");
    });
    assertEquals(Headers.of("Host", "t:81", "X-Kept", "yes"), seen.getFirst());
  }

  /** They hold for the response even if the client's SETTINGS frame comes late. */
  @Test
  void theSettingsOfTheOfferApply() throws Exception {
    play(request -> Response.ok("0123456789"), (world, client) -> {
      client
          .connection()
          .send(REQUEST.replace(
              "HTTP2-Settings: \r\n",
              "HTTP2-Settings: AAQAAAAE\r\n")); // an initial window of 4 bytes
      client.connection().expect(SWITCHING);
      client.expectSettings();
      client.expectResponse(1, 200);
      assertEquals(4, client.expectData(1).flowControlled());
      client.sendPreface();
      client.sendSettings(Settings.INITIAL_WINDOW_SIZE, 4);
      client.expectSettingsAck();
      client.expectQuiet();
      client.sendWindowUpdate(1, 6);
      assertEquals(6, client.expectData(1).flowControlled());
    });
  }

  @Test
  void aLaterRequestMayUpgradeToo() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send("GET /before HTTP/1.1\r\nHost: t\r\n\r\n");
      assertTrue(client.connection().expectMessage().endsWith("/before"));
      client.connection().send(REQUEST);
      switchTo2(client);
      expectContent(client, 1, "/first?q");
    });
  }

  @Test
  void headIsAnsweredWithoutContent() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send(REQUEST.replace("GET", "HEAD"));
      switchTo2(client);
      assertTrue(client.expectResponse(1, 200).endStream());
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
            + "HTTP2-Settings: \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nConnection: HTTP2-Settings\r\nUpgrade: h2c\r\n"
            + "HTTP2-Settings: \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: websocket\r\n"
            + "HTTP2-Settings: \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nHTTP2-Settings: \r\n" + OFFER + "\r\n", // twice
        "GET http://t/ HTTP/1.1\r\nHost: t\r\n" + OFFER + "\r\n", // not in origin-form
        "GET / HTTP/1.0\r\nHost: t\r\nConnection: keep-alive\r\n" + OFFER + "\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: t\r\n" + OFFER + "\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n" + OFFER + "\r\nhi",
        "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n" + OFFER + "\r\n0\r\n\r\n",
      })
  void otherOffersAreIgnored(String request) throws Exception {
    assertStaysWithHttp1(request);
  }

  /** No base64url, a length that is no multiple of 6, and settings that RFC 9113 forbids. */
  @ParameterizedTest
  @ValueSource(strings = {"!", "AAQAAA", "AAIAAAAC", "AAT_____", "AAUAAAAB"})
  void wrongSettingsAreNoOffer(String settings) throws Exception {
    assertStaysWithHttp1(
        REQUEST.replace("HTTP2-Settings: \r\n", "HTTP2-Settings: " + settings + "\r\n"));
  }

  private static void assertStaysWithHttp1(String request) throws Exception {
    play(request1 -> Response.ok(request1.method().name()), (world, client) -> {
      for (int i = 0; i < 2; i++) {
        client.connection().send(request);
        String answer = client.connection().expectMessage();
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      }
    });
  }

  /** A client must wait for 101; what follows at once cannot be HTTP/2, and is no HTTP/1.1. */
  @Test
  void anOfferWithInputBehindItIsIgnored() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send(REQUEST + "GET /behind HTTP/1.1\r\nHost: t\r\n\r\n");
      assertTrue(client.connection().expectMessage().endsWith("/first?q"));
      assertTrue(client.connection().expectMessage().endsWith("/behind"));
    });
  }

  @Test
  void withoutTheOptionNoOfferIsTaken() throws Exception {
    Http2World.play(TARGET, (world, client) -> {
      client.connection().send(REQUEST);
      assertTrue(client.connection().expectMessage().startsWith("HTTP/1.1 200"));
    });
  }

  /** With a wrong Host it is refused as any request of HTTP/1.1. */
  @Test
  void anOfferToNoHostIsABadRequest() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send(REQUEST.replace("t:80", "t:80:80"));
      assertTrue(client.connection().expectHead().startsWith("HTTP/1.1 400"));
    });
  }

  @Test
  void aClientThatDoesNotGoOnInHttp2IsCut() throws Exception {
    play(TARGET, (world, client) -> {
      client.connection().send(REQUEST);
      client.connection().expect(SWITCHING);
      client.expectSettings();
      expectContent(client, 1, "/first?q");
      client.connection().send("GET /second HTTP/1.1\r\nHost: t\r\n\r\n");
      client.expectGoAway(ErrorCode.PROTOCOL_ERROR);
    });
    play(TARGET, (world, client) -> {
      long start = world.now();
      client.connection().send(REQUEST);
      client.connection().expect(SWITCHING);
      client.expectSettings();
      client.expectResponse(1, 200);
      client.expectData(1);
      Frame.GoAway end = client.expectGoAway(ErrorCode.ENHANCE_YOUR_CALM); // no preface
      assertEquals(1, end.lastStreamId());
      world.assertPassed(start, 10);
    });
  }

  @Test
  void aServerThatClosesAnswersTheRequestThatUpgraded() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    play(Http2World.answeringAfter(mayEnd, "late"), (world, client) -> {
      client.connection().send(REQUEST);
      switchTo2(client);
      client.expectSettingsAck();
      client.sendSettingsAck();
      world.network.executor().execute(world.server::close);
      client.expectGoAway(ErrorCode.NO_ERROR); // Its PING is answered,
      client.expectGoAway(ErrorCode.NO_ERROR); // so that the last stream is known.
      mayEnd.countDown();
      expectContent(client, 1, "late");
    });
  }

  /** What HTTP/1.1 held for the connection is released with it. */
  @Test
  void theMemoryOfBothProtocolsIsReleased() throws Exception {
    play(TARGET, (world, client) -> {
      long before = world.server.memoryHeld();
      try (Http2Peer second = world.connect()) {
        second.connection().send(REQUEST.replace("Host", "X: " + "x".repeat(7_000) + "\r\nHost"));
        switchTo2(second);
        second.expectResponse(1, 200);
      }
      world.await("the memory is released", () -> world.server.memoryHeld() == before);
    });
  }

  @Test
  void theJdksClientUpgrades() throws Exception {
    try (HttpServer server =
            HttpServer.builder().upgradeToH2c(true).handler(TARGET).start();
        HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build()) {
      URI base = URI.create("http://localhost:" + server.port() + "/");
      HttpResponse<String> first = get(client, base.resolve("/0")).join();
      assertEquals("/0", first.body());
      assertEquals(Version.HTTP_2, first.version());
      List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
      for (int i = 1; i <= 50; i++) {
        others.add(get(client, base.resolve("/" + i)));
      }
      for (int i = 1; i <= 50; i++) {
        assertEquals("/" + i, others.get(i - 1).join().body());
        assertEquals(Version.HTTP_2, others.get(i - 1).join().version());
      }
    }
  }

  private static CompletableFuture<HttpResponse<String>> get(HttpClient client, URI uri) {
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
