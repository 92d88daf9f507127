package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.ESTABLISHED;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static heddle.client.proxy.ProxyWorld.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Proxy;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import heddle.testkit.ScriptedPeer.Script;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy can do wrong where it is asked for a tunnel: nothing waits for ever, or grows. */
@Timeout(60)
class HostileProxyTest {
  private static final String URL = "http://a.test/";

  private static ProxyWorld world(Proxy proxy) {
    return new ProxyWorld(builder -> builder.proxy(proxy).version(HttpVersion.HTTP_2));
  }

  @Test
  void proxyMayCloseAtEachByte() throws Exception {
    Script[] scripts = new Script[ESTABLISHED.length()];
    for (int cut = 0; cut < scripts.length; cut++) {
      String start = ESTABLISHED.substring(0, cut);
      scripts[cut] = c -> {
        c.expectHead();
        c.send(start);
      };
    }
    try (ProxyWorld world = world(HTTP)) {
      world.serve(scripts);
      world.visit(() -> {
        for (int cut = 0; cut < scripts.length; cut++) {
          ConnectFailedException failure = world.failure(ConnectFailedException.class, URL);
          assertSays(failure, "the proxy http://proxy.test:3128 ", "closed the connection");
          assertEquals(Sent.NO, failure.at().sent());
        }
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void resetFailsTheCall() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.serve(c -> {
        c.expectHead();
        c.reset();
      });
      world.visit(() -> assertSays(
          world.failure(ConnectFailedException.class, URL),
          "the handshake with the proxy http://proxy.test:3128 failed: "));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-x\r\n\r\n",
        "HTTP/1.1 200\n\n",
        "HTTP/1.1 200 OK\r\nbad field\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n"
      })
  void invalidHttpIsReportedAsMalformed(String answer) throws Exception {
    ProxyException refusal = refusal(HTTP, c -> {
      c.expectHead();
      c.send(answer);
      assertFalse(c.hasMore());
    });
    assertEquals(ProxyException.Reason.MALFORMED, refusal.reason());
    assertNull(refusal.answer());
  }

  /** Nothing grows with what a proxy sends: the bounds of a head hold. */
  @ParameterizedTest
  @ValueSource(strings = {"X-Flood: x\r\n", "x"})
  void floodIsBounded(String drop) throws Exception {
    ProxyException refusal = refusal(HTTP, c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\n");
      assertThrows(IOException.class, () -> {
        while (true) {
          c.send(drop.repeat(10_000));
        }
      });
    });
    assertEquals(ProxyException.Reason.MALFORMED, refusal.reason());
  }

  @Test
  void interimAnswersAreBounded() throws Exception {
    ProxyException refusal = refusal(HTTP, c -> {
      c.expectHead();
      c.send("HTTP/1.1 103 Early\r\n\r\n".repeat(9));
      assertFalse(c.hasMore());
    });
    assertEquals(ProxyException.Reason.MALFORMED, refusal.reason());
  }

  /** Whether it says nothing or ever a little: the connect timeout covers the tunnel. */
  @Test
  void stalledAndTricklingProxiesRunIntoTheConnectTimeout() throws Exception {
    for (Script script : List.<Script>of(
        c -> {
          c.expectHead();
          assertFalse(c.hasMore());
        },
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\n");
          assertThrows(
              IOException.class,
              () -> c.sendSlowly("X: y\r\n".repeat(50), 1, Duration.ofMillis(100)));
        })) {
      try (ProxyWorld world = world(HTTP)) {
        world.serve(script);
        world.visit(() -> {
          ConnectFailedException failure = world.failure(ConnectFailedException.class, URL);
          assertSays(failure, "the proxy http://proxy.test:3128", "Timeouts.connect allows 5");
          assertEquals(Duration.ofSeconds(5), failure.at().elapsed());
          world.world.assertNothingIsOpen();
        });
      }
    }
  }

  @Test
  void deadlineOfTheCallHoldsToo() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      Request request = Request.builder(URL).deadline(Duration.ofSeconds(2)).build();
      world.serve(c -> {
        c.expectHead();
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        DeadlineExceededException failure =
            assertThrows(DeadlineExceededException.class, () -> world.world.client.send(request));
        assertEquals(Duration.ofSeconds(2), failure.at().elapsed());
        assertEquals(Phase.CONNECT, failure.at().phase());
      });
    }
  }

  @Test
  void interruptEndsTheWaiting() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.serve(c -> {
        c.expectHead();
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        var call = world.world.start(Request.get(URL));
        world.world.network.sleep(Duration.ofMillis(500));
        call.thread().interrupt();
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> call.outcome().get());
        assertInstanceOf(InterruptedIOException.class, failure.getCause());
        assertTrue(call.interrupted().get());
        assertEquals(Duration.ofMillis(500), world.world.now());
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void closingTheClientEndsTheWaiting() throws Exception {
    try (ProxyWorld world = world(HTTP)) {
      world.serve(c -> {
        c.expectHead();
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        var call = world.world.start(Request.get(URL));
        world.world.network.sleep(Duration.ofMillis(500));
        world.world.client.close();
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> call.outcome().get());
        assertNotNull(failure.getCause());
        assertFalse(failure.getCause() instanceof DeadlineExceededException);
        assertTrue(
            failure.getCause() instanceof ClientClosedException
                || failure.getCause() instanceof ConnectFailedException,
            failure.getCause().toString());
      });
    }
  }
}
