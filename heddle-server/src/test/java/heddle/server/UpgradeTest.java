package heddle.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.http.Response;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Upgraded;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that switch a connection of HTTP/1.1 to another protocol (RFC 9110 §7.8). */
@Timeout(60)
class UpgradeTest {
  private static final String OFFER =
      "GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

  /** Sends back what the client sends, until the client ends its direction. */
  private static final ExchangeHandler ECHO = exchange -> {
    Upgraded echo = exchange.switchProtocols("echo", Headers.of("X-Word", "hello"));
    echo.input().transferTo(echo.output());
    return null;
  };

  /** What one client does in a world with one server, in virtual time. */
  @FunctionalInterface
  private interface Script {
    void run(SimNetwork network, HttpServer server, RawConnection client) throws Exception;
  }

  private static void play(
      ExchangeHandler handler, UnaryOperator<HttpServer.Builder> options, Script script)
      throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .exchangeHandler(handler);
        try (HttpServer server = options.apply(builder).start();
            RawConnection client = RawConnection.connect(network, server.address())) {
          script.run(network, server, client.patience(Duration.ofDays(1)));
        }
      });
    }
  }

  private static void play(ExchangeHandler handler, Script script) throws Exception {
    play(handler, UnaryOperator.identity(), script);
  }

  private static void await(SimNetwork network, CountDownLatch latch) throws IOException {
    for (int i = 0; latch.getCount() > 0; i++) {
      assertTrue(i < 10_000, "not within 10 s");
      network.sleep(Duration.ofMillis(1));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static void expectSwitch(RawConnection client) throws IOException {
    String head = client.expectHead().toLowerCase(Locale.ROOT);
    assertTrue(head.startsWith("http/1.1 101 "), head);
    assertTrue(head.contains("\r\nupgrade: echo\r\n"), head);
    assertTrue(head.contains("\r\nconnection: upgrade\r\n"), head);
    assertFalse(head.contains("content-length") || head.contains("transfer-encoding"), head);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void bytesBehindTheRequestBelongToTheNewProtocol(int atOnce) throws Exception {
    play(ECHO, (network, server, client) -> {
      String behind = "GET /not-http HTTP/1.1\r\nHost: t\r\n\r\n";
      client.sendSlowly(OFFER + behind, atOnce, Duration.ZERO);
      String head = client.expectHead();
      assertTrue(head.contains("X-Word: hello\r\n"), head);
      client.expect(behind);
      client.send("more");
      client.expect("more");
      assertEquals(1, server.active());
      client.shutdownOutput();
      client.expectEnd();
      network.sleep(Duration.ofSeconds(1));
      assertEquals(0, server.active());
      assertEquals(0, server.clientFaults());
    });
  }

  @Test
  void silenceIsNoFault() throws Exception {
    play(ECHO, builder -> builder.handlerTimeout(Duration.ofSeconds(5)), (network, server, c) -> {
      c.send(OFFER);
      expectSwitch(c);
      network.sleep(Duration.ofHours(10));
      c.send("awake");
      c.expect("awake");
      assertEquals(1, server.connections());
    });
  }

  @Test
  void aClientThatReadsNothingEndsTheWriteAfterTheWriteTimeout() throws Exception {
    AtomicReference<Exception> failure = new AtomicReference<>();
    CountDownLatch failed = new CountDownLatch(1);
    ExchangeHandler flood = exchange -> {
      try (Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty())) {
        while (true) {
          upgraded.output().write(new byte[64 * 1024]);
        }
      } catch (IOException e) {
        failure.set(e);
      }
      failed.countDown();
      return null;
    };
    play(flood, builder -> builder.writeTimeout(Duration.ofSeconds(7)), (network, server, c) -> {
      long start = network.clock().nanoTime();
      c.send(OFFER);
      expectSwitch(c);
      c.pauseReading();
      await(network, failed);
      long seconds = Duration.ofNanos(network.clock().nanoTime() - start).toSeconds();
      assertEquals(7, seconds, () -> "" + failure.get());
      network.sleep(Duration.ofSeconds(1));
      assertEquals(0, server.connections());
    });
  }

  @Test
  void inputThatIsNotReadHoldsTheClientBackAndIsCounted() throws Exception {
    int length = 4 << 20;
    CountDownLatch mayRead = new CountDownLatch(1);
    CompletableFuture<Integer> read = new CompletableFuture<>();
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      mayRead.await();
      read.complete(upgraded.input().readNBytes(length).length);
      return null;
    };
    play(handler, (network, server, client) -> {
      long before = server.memoryHeld();
      client.send(OFFER);
      expectSwitch(client);
      CountDownLatch sent = new CountDownLatch(1);
      Thread sender = network.threadFactory().newThread(() -> {
        try {
          client.send(new byte[length]);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        sent.countDown();
      });
      sender.start();
      network.sleep(Duration.ofMinutes(5));
      assertEquals(1, sent.getCount());
      long held = server.memoryHeld() - before;
      assertTrue(held >= 64 * 1024 && held < 512 * 1024, () -> held + " bytes");
      mayRead.countDown();
      await(network, sent);
      client.expectEnd();
      assertEquals(length, read.get());
    });
  }

  @Test
  void eitherSideMayEndItsDirectionFirst() throws Exception {
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      if (upgraded.input().read() == 'c') {
        assertEquals(-1, upgraded.input().read());
        upgraded.output().write(bytes("late"));
      } else {
        upgraded.output().write(bytes("bye"));
        upgraded.output().close();
        assertThrows(IOException.class, () -> upgraded.output().write(1));
        assertEquals("rest", new String(upgraded.input().readAllBytes(), US_ASCII));
      }
      return null;
    };
    play(handler, (network, server, client) -> {
      client.send(OFFER + "c");
      client.shutdownOutput();
      expectSwitch(client);
      client.expect("late");
      client.expectEnd();
      try (RawConnection other = RawConnection.connect(network, server.address())) {
        other.send(OFFER + "s");
        expectSwitch(other);
        other.expect("bye");
        other.expectEnd();
        assertEquals(1, server.active());
        other.send("rest");
        other.shutdownOutput();
        network.sleep(Duration.ofSeconds(1));
        assertEquals(0, server.active());
        assertEquals(0, server.connections());
      }
    });
  }

  @Test
  void aServerThatClosesSaysSoAndWaitsForTheProtocol() throws Exception {
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      CountDownLatch closing = new CountDownLatch(1);
      upgraded.onDrain(closing::countDown);
      upgraded.output().write('!');
      closing.await();
      upgraded.output().write(bytes("bye"));
      return null;
    };
    HttpServer server = HttpServer.builder()
        .exchangeHandler(handler)
        .closeTimeout(Duration.ofHours(1))
        .start();
    try (RawPeer peer = RawPeer.connect(server)) {
      peer.send(OFFER);
      assertEquals(101, peer.answer().status());
      Thread closer = Thread.ofVirtual().start(server::close);
      assertEquals("!bye", peer.rest());
      peer.hangUp();
      closer.join();
    }
  }

  @Test
  void aServerThatIsClosingSaysSoAtOnce() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch mayAnswer = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      asked.countDown();
      mayAnswer.await();
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      CountDownLatch closing = new CountDownLatch(1);
      upgraded.onDrain(closing::countDown);
      closing.await();
      return null;
    };
    HttpServer server = HttpServer.builder()
        .exchangeHandler(handler)
        .closeTimeout(Duration.ofHours(1))
        .start();
    try (RawPeer idle = RawPeer.connect(server);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(OFFER);
      asked.await();
      Conditions.await("both are accepted", () -> server.connections() == 2);
      Thread closer = Thread.ofVirtual().start(server::close);
      assertEquals("", idle.rest()); // which shows that the server drains
      mayAnswer.countDown();
      assertEquals(101, peer.answer().status());
      assertEquals("", peer.rest());
      peer.hangUp();
      idle.hangUp();
      closer.join();
    }
  }

  @Test
  void aProtocolThatGoesOnIsCutAfterTheCloseTimeout() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      exchange.switchProtocols("echo", Headers.empty());
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
      return null;
    };
    HttpServer server = HttpServer.builder()
        .exchangeHandler(handler)
        .closeTimeout(Duration.ofMillis(50))
        .start();
    try (RawPeer peer = RawPeer.connect(server)) {
      peer.send(OFFER);
      assertEquals(101, peer.answer().status());
      server.close();
      interrupted.await();
      assertEquals(0, server.active());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aHandlerThatFailsCutsTheConnection() throws Exception {
    play(
        exchange -> {
          exchange.switchProtocols("echo", Headers.empty());
          throw new IOException("on purpose");
        },
        (network, server, client) -> {
          client.send(OFFER);
          expectSwitch(client);
          client.expectEnd();
          network.sleep(Duration.ofSeconds(1));
          assertEquals(0, server.active());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theHandlerIsInterruptedIfTheClientIsLostButNotAfterTheEnd(boolean closes) throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      if (closes) {
        upgraded.close();
        assertThrows(IOException.class, () -> upgraded.input().read());
      }
      ended.countDown();
      try {
        mayReturn.await();
        interrupted.complete(false);
      } catch (InterruptedException e) {
        interrupted.complete(true);
      }
      return null;
    };
    play(handler, (network, server, client) -> {
      client.send(OFFER);
      expectSwitch(client);
      await(network, ended);
      client.reset();
      network.sleep(Duration.ofSeconds(1));
      mayReturn.countDown();
      assertEquals(!closes, interrupted.get());
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.0\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nUpgrade: echo\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\n\r\n",
      })
  void whatTheClientDoesNotOfferIsNotSwitchedTo(String request) throws Exception {
    ExchangeHandler handler = exchange -> {
      assertFalse(exchange.offers("echo"));
      assertThrows(
          IllegalArgumentException.class, () -> exchange.switchProtocols("echo", Headers.empty()));
      return Response.ok("plain");
    };
    play(handler, (network, server, client) -> {
      client.send(request);
      assertTrue(client.expectMessage().endsWith("plain"));
    });
  }

  @Test
  void anOfferMayBeIgnored() throws Exception {
    play(exchange -> Response.ok("plain"), (network, server, client) -> {
      client.send(OFFER);
      assertTrue(client.expectMessage().endsWith("plain"));
      client.send(OFFER);
      assertTrue(client.expectMessage().endsWith("plain"));
    });
  }

  @Test
  void aSwitchTakesThePlaceOfTheResponse() throws Exception {
    AtomicReference<Throwable> unexpected = new AtomicReference<>();
    ExchangeHandler handler = exchange -> {
      try (Upgraded upgraded = exchange.switchProtocols("ECHO", Headers.empty())) {
        Headers none = Headers.empty();
        assertThrows(IllegalStateException.class, () -> exchange.switchProtocols("echo", none));
        assertThrows(IllegalStateException.class, () -> exchange.begin(Response.ok("")));
        upgraded.output().write(bytes("done"));
      } catch (AssertionError e) {
        unexpected.set(e);
      }
      return null;
    };
    play(handler, (network, server, client) -> {
      client.send(OFFER);
      expectSwitch(client);
      client.expect("done");
      client.expectEnd();
      assertNull(unexpected.get());
    });
  }

  @Test
  void contentPrecedesTheOtherProtocol() throws Exception {
    ExchangeHandler handler = exchange -> {
      assertThrows(
          IllegalStateException.class, () -> exchange.switchProtocols("echo", Headers.empty()));
      long length = exchange.request().body().bytes().length;
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      upgraded.output().write(bytes(length + " bytes"));
      assertEquals('x', upgraded.input().read());
      return null;
    };
    play(handler, (network, server, client) -> {
      client.send(OFFER.replace("\r\n\r\n", "\r\nContent-Length: 100000\r\n\r\n"));
      network.sleep(Duration.ofSeconds(1));
      client.send("c".repeat(100_000) + "x");
      expectSwitch(client);
      client.expect("100000 bytes");
      client.expectEnd();
    });
  }
}
