package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.ESTABLISHED;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.PORT;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.Authenticator;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Proxy;
import heddle.codec.Role;
import heddle.http.Credentials;
import heddle.http.FailurePoint;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer.Script;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client's authenticators have to do with tunnels. */
@Timeout(60)
class TunnelCredentialsTest {
  private static final String URL = "http://a.test/";
  private static final String CONNECT = "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n";
  private static final String ASKS = "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Bearer\r\n";

  /** A token for each question, and another each time it is asked in a call. */
  private static final Authenticator TOKENS =
      question -> Credentials.of("Bearer", "t" + question.attempt());

  /** HTTP/2 with prior knowledge is never forwarded. */
  private static ProxyWorld world(Authenticator authenticator, Proxy... proxies) {
    List<Proxy> order = List.of(proxies);
    return new ProxyWorld(builder ->
        builder.proxies(origin -> order).authenticator(authenticator).version(HttpVersion.HTTP_2));
  }

  private static String showing(String token) {
    return CONNECT + "Proxy-Authorization: Bearer " + token + "\r\n\r\n";
  }

  private static void serve(RawConnection c) throws IOException {
    c.send(ESTABLISHED);
    Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
    h2.handshake();
    h2.sendResponse(h2.expectHeaders().streamId(), 200, "hello");
    c.drain();
  }

  private static void get(ProxyWorld world, String url) throws IOException {
    assertEquals("hello", world.world.client.send(Request.get(url)).string());
  }

  @Test
  void authenticatorsAreAskedWhatToShow() throws Exception {
    List<Authenticator.Question> questions = new ArrayList<>();
    Authenticator asked = question -> {
      questions.add(question);
      return TOKENS.answer(question);
    };
    try (ProxyWorld world = world(asked, HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "\r\n"); // and closes
      });
      world.serve(c -> {
        c.expect(showing("t1"));
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(showing("t2"));
        serve(c);
      });
      world.visit(() -> get(world, URL));
    }
    Authenticator.Question first = questions.getFirst();
    assertTrue(first.proxy());
    assertEquals(Origin.http("proxy.test", PORT), first.by());
    assertEquals(Method.CONNECT, first.request().method());
    assertEquals("a.test:80", first.request().target());
    assertTrue(first.challenges().getFirst().is("Bearer"));
    assertEquals(2, questions.size());
  }

  @Test
  void listenersLearnOfAConnectionThatAProxyClosesAfterItsChallenge() throws Exception {
    List<String> events = new ArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
        events.add("connected");
      }

      @Override
      public void acquired(
          AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
        events.add("acquired");
      }
    };
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "\r\n"); // and closes
      });
      world.serve(c -> {
        c.expect(showing("t1"));
        serve(c);
      });
      world.visit(() -> assertEquals(
          "hello", world.world.client.send(Request.get(URL), listener).string()));
    }
    assertEquals(List.of("connected", "connected", "acquired"), events);
  }

  /** All calls of a client share tunnels, and so the credentials with which they were opened. */
  @Test
  void whatAProxyAcceptedIsShownForTheNextTunnelAtOnce() throws Exception {
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(showing("t1"));
        serve(c);
      });
      world.serve(c -> {
        c.expect(showing("t1").replace("a.test", "b.test"));
        serve(c);
      });
      world.visit(() -> {
        get(world, URL);
        get(world, "http://b.test/");
      });
    }
  }

  /** What an authenticator has to show beforehand is newer than what was shown last. */
  @Test
  void memoryIsForWantOfAnythingBetter() throws Exception {
    AtomicInteger fresh = new AtomicInteger();
    Authenticator eager = new Authenticator() {
      @Override
      public Credentials answer(Question question) {
        return Credentials.of("Bearer", "old");
      }

      @Override
      public Credentials beforehand(Question question) {
        return question.proxy()
            ? Credentials.of("Bearer", "fresh" + fresh.incrementAndGet())
            : null;
      }
    };
    try (ProxyWorld world = world(eager, HTTP)) {
      world.serve(c -> {
        c.expect(showing("fresh1"));
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(showing("old"));
        serve(c);
      });
      world.serve(c -> {
        c.expect(showing("fresh2").replace("a.test", "b.test"));
        serve(c);
      });
      world.visit(() -> {
        get(world, URL);
        get(world, "http://b.test/");
      });
    }
  }

  /** However often a proxy asks, there is an end. */
  @Test
  void proxyThatNeverHasEnoughIsLeft() throws Exception {
    Script asks = c -> {
      c.expectHead();
      c.send(ASKS + "\r\n");
    };
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.serve(asks, asks, asks, asks, asks, asks);
      world.visit(() -> {
        ProxyException failure = world.failure(ProxyException.class, URL);
        assertEquals(ProxyException.Reason.AUTHENTICATION, failure.reason());
        assertSays(failure, "does not accept the credentials");
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void proxyWithAnUnsupportedSchemeIsReported() throws Exception {
    try (ProxyWorld world = world(question -> null, HTTP)) {
      world.serve(c -> {
        c.expectHead();
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        assertFalse(c.hasMore());
      });
      world.visit(() -> assertSays(
          world.failure(ProxyException.class, URL),
          "no credentials for the schemes that it accepts"));
    }
  }

  // ---- authenticators that fail

  private static void assertNoOtherProxyIsTried(IOException thrown, String says) throws Exception {
    Authenticator failing = question -> {
      throw thrown;
    };
    Proxy second = Proxy.http("second.test", PORT + 1);
    Script asks = c -> {
      c.expect(CONNECT + "\r\n");
      c.send(ASKS + "Content-Length: 0\r\n\r\n");
      assertFalse(c.hasMore());
    };
    try (ProxyWorld world = world(failing, HTTP, second)) {
      world.serve(asks, asks);
      world.visit(() -> {
        for (int i = 0; i < 2; i++) {
          ProxyException failure = world.failure(ProxyException.class, URL);
          assertSays(failure, "the proxy http://proxy.test:3128 and failed: " + says);
          assertEquals(thrown, failure.getCause());
          assertEquals(Phase.CONNECT, failure.at().phase());
          assertEquals(Sent.NO, failure.at().sent());
          world.world.assertNothingIsOpen();
        }
      });
      assertEquals(List.of("proxy.test"), world.lookedUp);
    }
  }

  @Test
  void authenticatorThatFailsFailsTheCall() throws Exception {
    assertNoOtherProxyIsTried(new IOException("no keys"), "no keys");
    assertNoOtherProxyIsTried(new IOException(), "java.io.IOException");
  }

  /** Such as one that fetches a token with another client: that failure is not this call's. */
  @Test
  void failureOfACallThatAnAuthenticatorMakesIsNoFailureToConnect() throws Exception {
    FailurePoint elsewhere = new FailurePoint(
        Method.GET, Origin.http("tokens.test", 80), Phase.CONNECT, Sent.NO, Duration.ZERO);
    assertNoOtherProxyIsTried(
        new ConnectFailedException("tokens.test is down", elsewhere, null), "tokens.test is down");
  }

  /** It would be taken for the answer to what is asked next. */
  @Test
  void connectionWhoseProxySaysMoreThanItWasAskedIsNotUsedAgain() throws Exception {
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n" + ESTABLISHED);
        assertFalse(c.hasMore());
      });
      world.serve(c -> {
        c.expect(showing("t1"));
        serve(c);
      });
      world.visit(() -> get(world, URL));
    }
  }

  /** More than is held for the reader at a time, and less than is read. */
  @Test
  void longQuestionIsReadToItsEndAndTheConnectionUsedAgain() throws Exception {
    String question = ASKS + "X-Why: " + "?".repeat(40_000) + "\r\nContent-Length: 60000\r\n\r\n";
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.visit(() -> get(world, URL), c -> {
        c.expect(CONNECT + "\r\n");
        c.send(question + "?".repeat(60_000));
        c.expect(showing("t1"));
        serve(c);
      });
    }
  }

  /** A new connection costs less than the rest of it. */
  @Test
  void muchContentIsNotReadForTheSakeOfTheConnection() throws Exception {
    try (ProxyWorld world = world(TOKENS, HTTP)) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 200000\r\n\r\n" + "?".repeat(200_000));
        assertFalse(c.hasMore());
      });
      world.serve(c -> {
        c.expect(showing("t1"));
        serve(c);
      });
      world.visit(() -> get(world, URL));
    }
  }

  // ---- time

  @Test
  void interruptEndsTheWaitForAnAuthenticator() throws Exception {
    CompletableFuture<ProxyWorld> made = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    Authenticator slow = question -> {
      asked.complete(null);
      made.join().world.network.sleep(Duration.ofSeconds(20));
      return TOKENS.answer(question);
    };
    try (ProxyWorld world = world(slow, HTTP)) {
      made.complete(world);
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        ClientWorld.Running call = world.world.start(Request.get(URL));
        world.world.until(asked::isDone);
        call.thread().interrupt();
        world.world.untilOver(call.outcome());
        assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
        assertTrue(call.interrupted().get());
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void timeThatAuthenticatorsTakeIsNotTheProxys() throws Exception {
    CompletableFuture<ProxyWorld> made = new CompletableFuture<>();
    Authenticator slow = question -> {
      made.join().world.network.sleep(Duration.ofSeconds(20));
      return TOKENS.answer(question);
    };
    try (ProxyWorld world = world(slow, HTTP)) {
      made.complete(world);
      world.visit(() -> get(world, URL), c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.expect(showing("t1"));
        c.sleep(Duration.ofSeconds(4));
        serve(c);
      });
    }
  }

  @Test
  void timeThatAuthenticatorsTakeIsTheCalls() throws Exception {
    CompletableFuture<ProxyWorld> made = new CompletableFuture<>();
    Authenticator slow = question -> {
      made.join().world.network.sleep(Duration.ofSeconds(61));
      throw new IOException("too late");
    };
    try (ProxyWorld world = world(slow, HTTP)) {
      made.complete(world);
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        DeadlineExceededException failure = world.failure(DeadlineExceededException.class, URL);
        assertSays(failure, "while an Authenticator was asked for the proxy http://proxy.test");
        world.world.assertNothingIsOpen();
      });
    }
  }

  /** It had time to close while the authenticator was at work. */
  @Test
  void proxyThatHasGoneMeanwhileIsAskedOnAnotherConnection() throws Exception {
    CompletableFuture<ProxyWorld> made = new CompletableFuture<>();
    Authenticator slow = question -> {
      made.join().world.network.sleep(Duration.ofSeconds(1));
      return TOKENS.answer(question);
    };
    try (ProxyWorld world = world(slow, HTTP)) {
      made.complete(world);
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        c.send(ASKS + "Content-Length: 0\r\n\r\n");
        c.channel().shutdownOutput();
        assertFalse(c.hasMore());
      });
      world.serve(c -> {
        c.expect(showing("t1"));
        serve(c);
      });
      world.visit(() -> get(world, URL));
    }
  }
}
