package heddle.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Upgraded;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that speak another protocol on a stream of HTTP/2 (RFC 8441). */
@Timeout(60)
class Http2UpgradeTest {
  /** Sends back what the client sends, until the client ends its direction. */
  private static final ExchangeHandler ECHO = exchange -> {
    Upgraded echo = exchange.switchProtocols("echo", Headers.of("X-Word", "hello"));
    echo.input().transferTo(echo.output());
    return null;
  };

  private static void play(
      ExchangeHandler handler, UnaryOperator<HttpServer.Builder> options, Http2World.Script script)
      throws Exception {
    Http2World.play(
        request -> Response.ok("unused"),
        builder -> options.apply(builder.exchangeHandler(handler)),
        (world, client) -> {
          client.patience(Duration.ofDays(1));
          client.handshake();
          script.run(world, client);
        });
  }

  private static void play(ExchangeHandler handler, Http2World.Script script) throws Exception {
    play(handler, UnaryOperator.identity(), script);
  }

  private static void connect(Http2Peer client, int stream, boolean end, String... more)
      throws IOException {
    String[] fields = {
      ":method: CONNECT", ":protocol: echo", ":scheme: http", ":authority: server", ":path: /a?b"
    };
    String[] all = new String[fields.length + more.length];
    System.arraycopy(fields, 0, all, 0, fields.length);
    System.arraycopy(more, 0, all, fields.length, more.length);
    client.sendHeaders(stream, end, all);
  }

  private static String data(Http2Peer client, int stream) throws IOException {
    Frame.Data data = client.expectData(stream);
    byte[] bytes = new byte[data.data().remaining()];
    data.data().get(bytes);
    return new String(bytes, US_ASCII);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  @Test
  void aHandlerSpeaksTheProtocolOnItsStream() throws Exception {
    play(ECHO, (world, client) -> {
      assertTrue(client.settings().enableConnectProtocol());
      connect(client, 1, false);
      client.sendData(1, false, "early");
      Http2Head head = client.expectResponse(1, 200);
      assertFalse(head.endStream());
      assertEquals("hello", head.value("x-word"));
      assertNull(head.value("upgrade"));
      assertEquals("early", data(client, 1));
      assertEquals(1, world.server.active());
      client.sendData(1, false, "more");
      assertEquals("more", data(client, 1));
      client.sendData(1, true, "");
      assertTrue(client.expectData(1).endStream());
      world.await("the handler has returned", () -> world.server.active() == 0);
      client.expectQuiet();
      assertEquals(0, world.server.clientFaults());
    });
  }

  @Test
  void theRequestIsAGetWithAnOffer() throws Exception {
    AtomicReference<Throwable> unexpected = new AtomicReference<>();
    ExchangeHandler handler = exchange -> {
      try {
        assertEquals(Method.GET, exchange.request().method());
        assertEquals("/a?b", exchange.request().target());
        assertEquals("echo", exchange.request().headers().first("Upgrade"));
        assertEquals("yes", exchange.request().headers().first("X-Mine"));
        assertNull(exchange.request().headers().first("Content-Length"));
        assertEquals(0, exchange.request().body().length());
        assertTrue(exchange.offers("Echo"));
        Headers none = Headers.empty();
        assertThrows(IllegalArgumentException.class, () -> exchange.switchProtocols("other", none));
        assertThrows(
            IllegalArgumentException.class,
            () -> exchange.switchProtocols("echo", Headers.of("Content-Length", "1")));
        Upgraded upgraded = exchange.switchProtocols("echo", none);
        assertThrows(IllegalStateException.class, () -> exchange.switchProtocols("echo", none));
        assertEquals(-1, upgraded.input().read());
      } catch (AssertionError e) {
        unexpected.set(e);
      }
      return null;
    };
    play(handler, (world, client) -> {
      connect(client, 1, true, "x-mine: yes", "content-length: 10", "expect: 100-continue");
      client.expectResponse(1, 200);
      assertTrue(client.expectData(1).endStream());
      assertNull(unexpected.get());
    });
  }

  /** RFC 8441 §5: a 2xx would open the protocol. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream", "begin", "flush", "no content"})
  void successOfAHandlerThatDoesNotSwitchIsNoAcceptance(String how) throws Exception {
    ExchangeHandler handler = exchange -> {
      switch (how) {
        case "memory" -> {
          return Response.ok("a page");
        }
        case "stream" -> {
          return Response.ok(Body.written(out -> out.write(bytes("a page"))));
        }
        case "no content" -> {
          return Response.of(Status.NO_CONTENT);
        }
        default -> {
          try (OutputStream out = exchange.begin(Response.of(Status.CREATED))) {
            out.write(bytes("a page"));
            if (how.equals("flush")) {
              out.flush();
              out.write(bytes("its end"));
            }
          }
          return null;
        }
      }
    };
    play(handler, (world, client) -> {
      connect(client, 1, false);
      assertTrue(client.expectResponse(1, 501).endStream());
      client.expectRst(1, ErrorCode.NO_ERROR);
      world.await("the handler has returned", () -> world.server.active() == 0);
    });
  }

  @Test
  void otherAnswersAreSentAsTheyAre() throws Exception {
    ExchangeHandler handler =
        exchange -> Response.of(Status.FORBIDDEN).withBody(Body.of("not here"));
    play(handler, (world, client) -> {
      connect(client, 1, false);
      client.expectResponse(1, 403);
      assertEquals("not here", new String(client.expectContent(1), US_ASCII));
      client.expectRst(1, ErrorCode.NO_ERROR);
      client.sendGet(3, "/");
      client.expectResponse(3, 403);
    });
  }

  @Test
  void plainConnectIsStillNotImplemented() throws Exception {
    play(ECHO, (world, client) -> {
      client.sendHeaders(1, false, ":method: CONNECT", ":authority: a:1");
      assertTrue(client.expectResponse(1, 501).endStream());
      client.expectRst(1, ErrorCode.NO_ERROR);
    });
  }

  @Test
  void silenceIsNoFault() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      network.get().sleep(Duration.ofHours(2));
      upgraded.output().write(bytes("awake"));
      assertEquals('!', upgraded.input().read());
      return null;
    };
    play(handler, builder -> builder.handlerTimeout(Duration.ofSeconds(5)), (world, client) -> {
      network.set(world.network);
      connect(client, 1, false);
      client.expectResponse(1, 200);
      long start = world.now();
      assertEquals("awake", data(client, 1));
      world.assertPassed(start, 7200);
      client.sendData(1, true, "!");
      assertTrue(client.expectData(1).endStream());
    });
  }

  @Test
  void inputThatIsNotReadIsHeldBackByTheWindow() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      mayRead.await();
      upgraded.input().skipNBytes(60_000);
      upgraded.output().write(bytes("read"));
      upgraded.input().readAllBytes();
      return null;
    };
    play(handler, (world, client) -> {
      connect(client, 1, false);
      client.expectResponse(1, 200);
      long before = world.server.memoryHeld();
      client.sendContent(1, false, new byte[60_000]);
      world.network.sleep(Duration.ofSeconds(5));
      assertTrue(world.server.memoryHeld() - before > 50_000);
      mayRead.countDown();
      assertEquals("read", data(client, 1));
      world.await("memory is free", () -> world.server.memoryHeld() <= before);
      client.sendData(1, true, "");
      assertTrue(client.expectData(1).endStream());
    });
  }

  @Test
  void aClientThatOpensNoWindowEndsTheWriteAfterTheWriteTimeout() throws Exception {
    CompletableFuture<Exception> failure = new CompletableFuture<>();
    ExchangeHandler flood = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      try {
        while (true) {
          upgraded.output().write(new byte[16 * 1024]);
        }
      } catch (IOException e) {
        failure.complete(e);
      }
      return null;
    };
    play(
        flood,
        builder -> builder.writeTimeout(Duration.ofSeconds(7)).minRate(0, Duration.ofSeconds(1)),
        (world, client) -> {
          connect(client, 1, false);
          client.expectResponse(1, 200);
          long start = world.now();
          for (int got = 0; got < 65_535; ) {
            got += data(client, 1).length();
          }
          client.expectRst(1, ErrorCode.CANCEL);
          world.assertPassed(start, 7);
          assertTrue(failure.get() instanceof IOException);
          world.await("the handler has returned", () -> world.server.active() == 0);
        });
  }

  @Test
  void aServerThatClosesSaysSoAndWaitsForTheProtocol() throws Exception {
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      CountDownLatch closing = new CountDownLatch(1);
      upgraded.onDrain(closing::countDown);
      closing.await();
      upgraded.output().write(bytes("bye"));
      return null;
    };
    play(handler, builder -> builder.closeTimeout(Duration.ofHours(1)), (world, client) -> {
      client.answersPings(false); // the last GOAWAY, which answers the PING, must not be too early
      connect(client, 1, false);
      client.expectResponse(1, 200);
      Thread closer = world.network.threadFactory().newThread(world.server::close);
      closer.start();
      client.expectGoAway(ErrorCode.NO_ERROR);
      long ping = client.expectPing().data();
      assertEquals("bye", data(client, 1));
      assertTrue(client.expectData(1).endStream());
      client.sendPingAck(ping);
      assertEquals(1, client.expectGoAway(ErrorCode.NO_ERROR).lastStreamId());
      client.sendData(1, true, "");
      client.close();
      world.await("the server is closed", () -> world.server.connections() == 0);
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClientThatCancelsEndsTheStreamWithoutAnInterrupt(boolean closes) throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch mayReturn = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      upgraded.output().write(bytes("!"));
      if (closes) {
        upgraded.close();
        assertThrows(IOException.class, () -> upgraded.input().read());
        assertThrows(IOException.class, () -> upgraded.output().write(1));
      }
      try {
        mayReturn.await();
        assertThrows(IOException.class, () -> upgraded.input().read());
        assertThrows(IOException.class, () -> upgraded.output().write(1));
        interrupted.complete(false);
      } catch (InterruptedException e) {
        interrupted.complete(true);
      }
      return null;
    };
    play(handler, (world, client) -> {
      connect(client, 1, false);
      client.expectResponse(1, 200);
      assertEquals("!", data(client, 1));
      if (closes) {
        assertTrue(client.expectData(1).endStream());
      }
      client.sendRst(1, ErrorCode.CANCEL);
      world.network.sleep(Duration.ofSeconds(1));
      mayReturn.countDown();
      assertFalse(interrupted.get());
      world.await("the handler has returned", () -> world.server.active() == 0);
    });
  }

  @Test
  void aClientThatDoesNotEndItsDirectionIsResetSoon() throws Exception {
    play(
        exchange -> {
          exchange.switchProtocols("echo", Headers.empty()).output().write(bytes("done"));
          return null;
        },
        (world, client) -> {
          connect(client, 1, false);
          client.expectResponse(1, 200);
          long start = world.now();
          assertEquals("done", data(client, 1));
          assertTrue(client.expectData(1).endStream());
          client.sendData(1, false, "ignored");
          client.expectRst(1, ErrorCode.NO_ERROR);
          world.assertPassed(start, 2);
        });
  }

  @Test
  void closingInTheMiddleOfAWriteResetsTheStream() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    ExchangeHandler handler = exchange -> {
      Upgraded upgraded = exchange.switchProtocols("echo", Headers.empty());
      Thread writer = network.get().threadFactory().newThread(() -> {
        try {
          upgraded.output().write(new byte[200_000]);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
      writer.start();
      network.get().sleep(Duration.ofSeconds(1));
      upgraded.close();
      assertThrows(IOException.class, () -> upgraded.output().write(1));
      return null;
    };
    play(handler, (world, client) -> {
      network.set(world.network);
      connect(client, 1, false);
      client.expectResponse(1, 200);
      for (int got = 0; got < 65_535; ) {
        got += data(client, 1).length();
      }
      client.expectRst(1, ErrorCode.CANCEL);
      world.await("the handler has returned", () -> world.server.active() == 0);
    });
  }

  @Test
  void aHandlerThatFailsResetsTheStream() throws Exception {
    play(
        exchange -> {
          exchange.switchProtocols("echo", Headers.empty());
          throw new IOException("on purpose");
        },
        (world, client) -> {
          connect(client, 1, false);
          client.expectResponse(1, 200);
          client.expectRst(1, ErrorCode.CANCEL);
          client.sendGet(3, "/");
          client.expectResponse(3, 500);
        });
  }
}
