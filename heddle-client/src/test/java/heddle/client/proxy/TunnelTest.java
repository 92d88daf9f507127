package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.ESTABLISHED;
import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static heddle.client.proxy.ProxyWorld.refusal;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.DuplexCall;
import heddle.client.spi.Proxy;
import heddle.codec.Role;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ProxyException;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CONNECT, and all that a proxy can make of it. What goes through the tunnel is HTTP/2 with prior
 * knowledge, which is never forwarded.
 */
@Timeout(60)
class TunnelTest {
  private static final String URL = "http://a.test/";
  private static final String CONNECT = "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n";
  private static final String AUTHORIZATION = "Proxy-Authorization: Basic bWU6cHc=\r\n";
  private static final String ASKS =
      "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"p\"\r\n";
  private static final Proxy KNOWN = HTTP.withCredentials("me", "pw");

  /** SETTINGS without any, as a server may send them before it has heard anything. */
  private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

  private static ProxyWorld world(Proxy proxy) {
    return new ProxyWorld(builder -> builder.proxy(proxy).version(HttpVersion.HTTP_2));
  }

  /** Answers one request over HTTP/2. */
  private static void answer(RawConnection c) throws IOException {
    Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
    h2.handshake();
    h2.sendResponse(h2.expectHeaders().streamId(), 200, "hello");
    c.drain();
  }

  private static void assertAnswered(ProxyWorld world) throws IOException {
    try (Response response = world.world.client.send(Request.get(URL))) {
      assertEquals(HttpVersion.HTTP_2, response.version());
      assertEquals("hello", response.string());
    }
  }

  @Test
  void tunnelIsTheOriginsFromThenOn() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ESTABLISHED);
        answer(c);
      });
      world.visit(() -> {
        assertAnswered(world);
        assertEquals(1, world.world.pool().open());
      });
      assertEquals(List.of("proxy.test"), world.lookedUp);
    }
  }

  /** RFC 9110 §9.3.6: any 2xx opens it, and no field says that there is content. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 299 Well\r\nConnection: close\r\n\r\n"
      })
  void anySuccessOpensIt(String answer) throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.serve(c -> {
        c.expectHead();
        c.sendSlowly(answer, 1, Duration.ofMillis(1));
        answer(c);
      });
      world.serve(c -> {
        c.expect(CONNECT.replace("a.test", "b.test") + "\r\n");
        c.send(answer);
        answer(c);
      });
      world.visit(() -> {
        assertAnswered(world);
        world.world.client.send(Request.get("http://b.test/")).close();
      });
    }
  }

  /** A proxy that forwards does not pass on what concerns one connection (RFC 9110 §7.6.1). */
  @Test
  void anotherProtocolIsOfferedThroughIt() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ESTABLISHED);
        String head = c.expectHead();
        assertTrue(head.startsWith("GET / HTTP/1.1\r\n"), head);
        c.send("HTTP/1.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        c.send(c.expectBytes(4));
        c.expectEnd();
      });
      Request offer = Request.builder(URL)
          .header("Connection", "Upgrade")
          .header("Upgrade", "echo")
          .build();
      world.visit(() -> {
        try (DuplexCall call = world.world.client.open(offer);
            Response response = call.response()) {
          call.output().write("ping".getBytes(US_ASCII));
          assertArrayEquals("ping".getBytes(US_ASCII), response.body().stream().readNBytes(4));
        }
      });
    }
  }

  @Test
  void whatFollowsTheAnswerIsTheOrigins() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.visit(() -> assertAnswered(world), c -> {
        c.expectHead();
        c.send(ESTABLISHED + SETTINGS);
        c.expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
        h2.expectSettings();
        h2.sendSettingsAck();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "hello");
        c.drain();
      });
    }
  }

  @ParameterizedTest
  @CsvSource({"403, Forbidden", "502, Not today", "302, Found", "400, ''"})
  void otherAnswersAreReported(int status, String reason) throws Exception {
    ProxyException refusal = refusal(HTTP, c -> {
      c.expectHead();
      c.send("HTTP/1.1 " + status + " " + reason + "\r\nX-Why: rules\r\n");
      c.send("Content-Length: 8\r\n\r\nnot ");
      c.send("here");
      assertFalse(c.hasMore());
    });
    assertEquals(ProxyException.Reason.REFUSED, refusal.reason());
    assertEquals(status, refusal.answer().status().code());
    assertEquals("rules", refusal.answer().headers().first("X-Why"));
    assertEquals("not here", refusal.answer().content());
    assertSays(
        refusal,
        "the proxy http://proxy.test:3128 opened no tunnel to a.test:80: it answered "
            + (status + " " + reason).strip()
            + ": GET");
  }

  @Test
  void contentOfARefusalIsBoundedInSizeAndTime() throws Exception {
    ProxyException large = refusal(HTTP, c -> {
      c.expectHead();
      c.send("HTTP/1.1 403 No\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(200_000));
      c.channel().shutdownOutput();
      c.drain();
    });
    assertEquals("x".repeat(4096), large.answer().content());
    ProxyException slow = refusal(HTTP, c -> {
      c.expectHead();
      c.send("HTTP/1.1 403 No\r\nContent-Length: 10\r\n\r\nslow");
      assertFalse(c.hasMore());
    });
    assertEquals("slow", slow.answer().content());
    assertEquals(Duration.ofSeconds(1), slow.at().elapsed());
  }

  // ---- credentials

  @Test
  void credentialsAreShownOnceTheProxyAsks() throws Exception {
    try (ProxyWorld world = world(KNOWN)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 4\r\n\r\nwho?");
        c.expect(CONNECT + AUTHORIZATION + "\r\n");
        c.send(ESTABLISHED);
        answer(c);
      });
      world.serve(c -> {
        c.expect(CONNECT.replace("a.test", "b.test") + AUTHORIZATION + "\r\n");
        c.send(ESTABLISHED);
        answer(c);
      });
      world.visit(() -> {
        assertAnswered(world);
        world.world.client.send(Request.get("http://b.test/")).close();
      });
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: close\r\nContent-Length: 0\r\n\r\n",
        "\r\nuntil the end",
        "Content-Length: 10\r\n\r\ncut"
      })
  void credentialsAreShownOnAnotherConnectionWhereTheFirstIsOfNoMoreUse(String rest)
      throws Exception {
    try (ProxyWorld world = world(KNOWN)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + rest);
      });
      world.serve(c -> {
        c.expect(CONNECT + AUTHORIZATION + "\r\n");
        c.send(ESTABLISHED);
        answer(c);
      });
      world.visit(() -> assertAnswered(world));
    }
  }

  @Test
  void credentialsMayGoFirst() throws Exception {
    try (ProxyWorld world = world(KNOWN.preemptively())) {
      world.visit(() -> assertAnswered(world), c -> {
        c.expect(CONNECT + AUTHORIZATION + "\r\n");
        c.send(ESTABLISHED);
        answer(c);
      });
    }
  }

  @Test
  void refusedCredentialsAreNotShownAgain() throws Exception {
    ProxyException refusal = refusal(KNOWN, c -> {
      c.expect(CONNECT + "\r\n");
      c.send(ASKS + "Content-Length: 0\r\n\r\n");
      c.expect(CONNECT + AUTHORIZATION + "\r\n");
      c.send(ASKS + "Content-Length: 0\r\n\r\n");
      assertFalse(c.hasMore());
    });
    assertEquals(ProxyException.Reason.AUTHENTICATION, refusal.reason());
    assertSays(refusal, "it answered 407", "does not accept the credentials");
    assertFalse(refusal.getMessage().contains("pw"));
  }

  @Test
  void missingCredentialsAreAskedFor() throws Exception {
    ProxyException refusal = refusal(HTTP, c -> {
      c.expectHead();
      c.send(ASKS + "Content-Length: 0\r\n\r\n");
      assertFalse(c.hasMore());
    });
    assertEquals(ProxyException.Reason.AUTHENTICATION, refusal.reason());
    assertSays(refusal, "Proxy.withCredentials");
  }

  @Test
  void whatIsForTheProxyDoesNotGoIntoTheTunnel() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      Request request =
          Request.builder(URL).header("Proxy-Authorization", "Basic x").build();
      world.visit(() -> world.world.client.send(request).close(), c -> {
        c.expectHead();
        c.send(ESTABLISHED);
        Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
        h2.handshake();
        var head = h2.expectHeaders();
        assertFalse(head.toString().contains("proxy-authorization"), head.toString());
        h2.sendResponse(head.streamId(), 200, "");
        c.drain();
      });
    }
  }

  /** HELLO is an answer, and no tunnel was asked for where one is not needed. */
  @Test
  void requestForHttp11IsNotTunnelled() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      Request request = Request.builder(URL).version(HttpVersion.HTTP_1_1).build();
      world.visit(() -> world.world.client.send(request).close(), c -> {
        assertTrue(c.expectHead().startsWith("GET http://a.test/ HTTP/1.1\r\n"));
        c.send(HELLO);
        assertFalse(c.hasMore());
      });
    }
  }
}
