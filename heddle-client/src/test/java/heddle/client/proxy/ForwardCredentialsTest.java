package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RetryPolicy;
import heddle.client.spi.Authenticator;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.Proxy;
import heddle.http.Body;
import heddle.http.Credentials;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ProxyException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.testkit.ScriptedPeer.Script;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Credentials for a proxy that forwards requests: only the proxy gets them, when it asks. */
@Timeout(60)
class ForwardCredentialsTest {
  private static final String AUTHORIZATION = "Proxy-Authorization: Basic bWU6cHc=\r\n";
  private static final String ASKS =
      "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n";
  private static final Proxy KNOWN = HTTP.withCredentials("me", "pw");

  private static String get(String target, String host, String fields) {
    return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
  }

  private static final String GET_A = get("http://a.test/", "a.test", "");
  private static final String GET_A_KNOWN = get("http://a.test/", "a.test", AUTHORIZATION);

  @Test
  void credentialsAreShownOnceTheProxyAsks() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 4\r\n\r\nwho?");
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        assertEquals("hello", world.get("http://a.test/"));
        assertEquals("hello", world.get("http://a.test/"));
        assertEquals(0, world.world.inUse());
      });
    }
  }

  /** Whatever proxies are asked for: a client's authenticators know more than one user. */
  @Test
  void authenticatorsAreAskedToo() throws Exception {
    BasicAuthenticator known =
        BasicAuthenticator.forProxy(Origin.http("proxy.test", ProxyWorld.PORT), "me", "pw");
    try (ProxyWorld world = new ProxyWorld(
        builder -> builder.proxy(HTTP.withCredentials("other", "pw")).authenticator(known))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(get("http://a.test/", "a.test", "Proxy-Authorization: Basic b3RoZXI6cHc=\r\n"));
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        assertEquals("hello", world.get("http://a.test/"));
        assertEquals("hello", world.get("http://a.test/"));
      });
    }
  }

  private static final Authenticator BROKEN = question -> {
    throw new IOException("no keys for " + question.by());
  };

  @Test
  void authenticatorThatFailsFailsTheCall() throws Exception {
    try (ProxyWorld world = new ProxyWorld(builder -> builder.proxy(HTTP).authenticator(BROKEN))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 70000\r\n\r\n");
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        ProxyException failure = world.failure(ProxyException.class, "http://a.test/");
        assertSays(
            failure,
            "asked for credentials for the proxy http://proxy.test:3128 and failed",
            "no keys for http://proxy.test:3128");
        assertEquals(ProxyException.Reason.AUTHENTICATION, failure.reason());
        assertEquals("no keys for http://proxy.test:3128", failure.getCause().getMessage());
        assertEquals(0, world.world.inUse());
      });
    }
  }

  /** Before anything is sent: the connection that was opened is not lost. */
  @Test
  void authenticatorThatFailsBeforehandFailsTheCall() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Authenticator first = new Authenticator() {
      @Override
      public @Nullable Credentials beforehand(Question question) throws IOException {
        if (question.proxy() && asked.getAndIncrement() == 0) {
          throw new IOException("no keys yet");
        }
        return null;
      }

      @Override
      public @Nullable Credentials answer(Question question) {
        return null;
      }
    };
    try (ProxyWorld world = new ProxyWorld(builder -> builder.proxy(HTTP).authenticator(first))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        assertSays(world.failure(ProxyException.class, "http://a.test/"), "no keys yet");
        assertEquals(0, world.world.inUse());
        assertEquals(1, world.world.pool().open());
        assertEquals("hello", world.get("http://a.test/"));
      });
    }
  }

  /** What one shows to the proxy is nothing for the origin, nor the other way round. */
  @Test
  void proxyAndOriginAreEachShownTheirOwn() throws Exception {
    Authenticator tokens =
        question -> Credentials.of("Token", question.by().host() + "-" + question.attempt());
    String toProxy = "Proxy-Authorization: Token proxy.test-1\r\n";
    String toBoth = "Authorization: Token a.test-1\r\n" + toProxy;
    try (ProxyWorld world = new ProxyWorld(builder -> builder.proxy(HTTP).authenticator(tokens))) {
      world.visit(() -> assertEquals("hello", world.get("http://a.test/")), c -> {
        c.expect(GET_A);
        c.send("HTTP/1.1 407 Who?\r\nProxy-Authenticate: Token\r\nContent-Length: 0\r\n\r\n");
        c.expect(get("http://a.test/", "a.test", toProxy));
        c.send("HTTP/1.1 401 Who?\r\nWWW-Authenticate: Token\r\nContent-Length: 0\r\n\r\n");
        c.expect(get("http://a.test/", "a.test", toBoth));
        c.send(HELLO);
        c.expectEnd();
      });
    }
  }

  /** RFC 7617 §2.1: a proxy that says so gets UTF-8, and another what it is likely to expect. */
  @Test
  void proxySaysInWhichCharsetItWantsThem() throws Exception {
    for (String[] each : new String[][] {
      {"Basic realm=\"p\"", "bfw6cHc="}, {"Basic realm=\"p\", charset=\"UTF-8\"", "bcO8OnB3"}
    }) {
      String known =
          get("http://a.test/", "a.test", "Proxy-Authorization: Basic " + each[1] + "\r\n");
      try (ProxyWorld world = new ProxyWorld(HTTP.withCredentials("m\u00fc", "pw"))) {
        world.serve(c -> {
          c.expect(GET_A);
          c.send("HTTP/1.1 407 Who?\r\nProxy-Authenticate: " + each[0]
              + "\r\nContent-Length: 0\r\n\r\n");
          c.expect(known);
          c.send(HELLO);
          c.expect(known);
          c.send(HELLO);
          c.expectEnd();
        });
        world.visit(() -> {
          assertEquals("hello", world.get("http://a.test/"));
          assertEquals("hello", world.get("http://a.test/"));
        });
      }
    }
  }

  @Test
  void connectionIsUsedAgainAfterAShortQuestionOfAnyFraming() throws Exception {
    for (String rest : List.of(
        "Content-Length: 0\r\n\r\n",
        "Content-Length: 4\r\n\r\nwho?",
        "Content-Length: 32768\r\n\r\n" + "?".repeat(32768),
        "Transfer-Encoding: chunked\r\n\r\n4\r\nwho?\r\n0\r\n\r\n")) {
      try (ProxyWorld world = new ProxyWorld(KNOWN)) {
        world.visit(() -> assertEquals("hello", world.get("http://a.test/")), c -> {
          c.expect(GET_A);
          String asks = ASKS + rest;
          c.send(asks.substring(0, asks.length() - 1));
          c.sleep(Duration.ofMillis(10)); // what has come is no trouble, and the end has not
          c.send(asks.substring(asks.length() - 1));
          c.expect(GET_A_KNOWN);
          c.send(HELLO);
          c.expectEnd();
        });
      }
    }
  }

  /** The content of the 407 comes later, in chunks, or is more than anybody reads. */
  @Test
  void credentialsAreShownOnAnotherConnectionWhereTheFirstIsOfNoMoreUse() throws Exception {
    for (String rest : List.of(
        "Connection: close\r\nContent-Length: 4\r\n\r\nwho?",
        "\r\nuntil the end",
        "Content-Length: 10\r\n\r\ncut",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nwho?\r\n",
        "Content-Length: 70000\r\n\r\nmuch")) {
      try (ProxyWorld world = new ProxyWorld(KNOWN)) {
        world.serve(c -> {
          c.expect(GET_A);
          c.send(ASKS + rest);
        });
        world.serve(c -> {
          c.expect(GET_A_KNOWN);
          c.send(HELLO);
          c.expectEnd();
        });
        world.visit(() -> {
          assertEquals("hello", world.get("http://a.test/"), rest);
          assertEquals(1, world.world.pool().open(), rest);
        });
      }
    }
  }

  @Test
  void connectionIsLeftAfterARequestForCredentialsThatTheClientLeaves() throws Exception {
    try (ProxyWorld world = new ProxyWorld(
        builder -> builder.proxy(KNOWN).closeConnectionsAfter(status -> status.code() == 407))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expectEnd();
      });
      world.serve(c -> {
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> assertEquals("hello", world.get("http://a.test/")));
    }
  }

  @Test
  void withoutRetriesTheCallSaysWhatItNeeds() throws Exception {
    try (ProxyWorld world =
        new ProxyWorld(builder -> builder.proxy(KNOWN).retries(RetryPolicy.never()))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Connection: close\r\nContent-Length: 0\r\n\r\n");
      });
      world.serve(c -> {
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        assertSays(
            world.failure(RequestNotProcessedException.class, "http://a.test/"),
            "the proxy http://proxy.test:3128 asked for credentials");
        assertEquals(0, world.world.pool().open());
        assertEquals("hello", world.get("http://a.test/"));
      });
    }
  }

  @Test
  void credentialsMayGoFirst() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN.preemptively())) {
      world.visit(() -> assertEquals("hello", world.get("http://a.test/")), c -> {
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
    }
  }

  private static void assertGets407(ProxyWorld world, Script script) throws Exception {
    world.serve(script);
    world.visit(() -> {
      try (Response response = world.world.client.send(Request.get("http://a.test/"))) {
        assertEquals(407, response.status().code());
        assertEquals("who?", response.string());
      }
      assertEquals(0, world.world.inUse());
    });
  }

  @Test
  void callerGetsTheRefusalOfCredentials() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      assertGets407(world, c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(GET_A_KNOWN);
        c.send(ASKS + "Content-Length: 4\r\n\r\nwho?");
        c.expectEnd();
      });
    }
  }

  @Test
  void callerGetsTheQuestionWhereThereIsNothingToShow() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      assertGets407(world, c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 4\r\n\r\nwho?");
        c.expectEnd();
      });
    }
  }

  /** Basic stands in the realm of another scheme alone. */
  @Test
  void credentialsAreForTheBasicSchemeOnly() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      assertGets407(world, c -> {
        c.expect(GET_A);
        c.send("HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm=\"a, Basic b\", basic=1\r\n"
            + "Content-Length: 4\r\n\r\nwho?");
        c.expectEnd();
      });
    }
  }

  @Test
  void contentThatCannotBeProducedAgainIsSentOnce() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      Body once = Body.of(new ByteArrayInputStream(new byte[] {'x'}), 1);
      Request request =
          Request.builder("http://a.test/").method(Method.POST).body(once).build();
      world.serve(c -> {
        c.expect("POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\n\r\nx");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(GET_A_KNOWN);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        try (Response response = world.world.client.send(request)) {
          assertEquals(407, response.status().code());
        }
        assertEquals("hello", world.get("http://a.test/"));
      });
    }
  }

  @Test
  void interruptedCallLeavesNothingBehind() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(ASKS + "Content-Length: 4\r\n\r\nwh");
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        var call = world.world.startUnderWay(Request.get("http://a.test/"));
        call.thread().interrupt();
        world.world.untilOver(call.outcome());
        assertThrows(Exception.class, () -> call.outcome().get());
        assertTrue(call.interrupted().get());
        world.world.assertNothingIsOpen();
      });
    }
  }
}
