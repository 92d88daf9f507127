package heddle.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.server.spi.Exchange;
import heddle.testkit.RawConnection;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of events that a server sends. */
@Timeout(60)
final class EventSenderTest {
  @AutoClose
  private final HttpClient client = HttpClient.create();

  @AutoClose
  private final TcpNetwork network = TcpNetwork.create();

  /** What a handler sends. */
  @FunctionalInterface
  private interface Script {
    void run(EventSender events, Exchange exchange) throws Exception;
  }

  private static HttpServer serve(Script script) throws IOException {
    return HttpServer.builder()
        .exchangeHandler(exchange -> {
          try (EventSender events = EventSender.open(exchange)) {
            script.run(events, exchange);
          }
          return null;
        })
        .start();
  }

  private static Request request(HttpServer server) throws IOException {
    return Request.get("http://localhost:" + server.port() + "/events");
  }

  private static String head(RawConnection c) throws IOException {
    c.send("GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n"); // without chunks
    return c.expectHead();
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void eventsArriveAsTheyAreSent(HttpVersion version) throws Exception {
    CountDownLatch got = new CountDownLatch(1);
    try (HttpServer server = serve((events, exchange) -> {
          assertEquals(version, exchange.version());
          assertEquals("", events.lastEventId());
          events.send("first");
          got.await();
          events.retry(Duration.ofMillis(1234));
          events.comment("not\nseen");
          events.send(new ServerSentEvent("tick", "two\r\nlines\rand\n", "7"));
          events.send("");
          events.send(" \u20ac\nid: 9");
        });
        EventStream events = EventStream.of(
            client.send(request(server).toBuilder().version(version).build()))) {
      assertEquals(new ServerSentEvent("message", "first", ""), events.next());
      got.countDown();
      assertEquals(new ServerSentEvent("tick", "two\nlines\nand\n", "7"), events.next());
      assertEquals(Duration.ofMillis(1234), events.retry());
      assertEquals(new ServerSentEvent("message", "", "7"), events.next());
      assertEquals(new ServerSentEvent("message", " \u20ac\nid: 9", "7"), events.next());
      assertNull(events.next());
    }
  }

  @Test
  void theHeadKeepsProxiesFromHoldingEventsBack() throws Exception {
    CountDownLatch got = new CountDownLatch(1);
    try (HttpServer server = serve((events, exchange) -> got.await());
        RawConnection c = RawConnection.connect(network, server.address())) {
      String head = head(c);
      assertTrue(head.contains("\r\nContent-Type: text/event-stream\r\n"), head);
      assertTrue(head.contains("\r\nCache-Control: no-cache\r\n"), head);
      assertTrue(head.contains("\r\nX-Accel-Buffering: no\r\n"), head);
      got.countDown();
      c.expectEnd();
    }
  }

  @Test
  void fieldsOfTheHeadCanBeReplaced() throws Exception {
    Headers fields = Headers.of("cache-control", "no-store", "X-Mine", "yes");
    try (HttpServer server = HttpServer.builder()
            .exchangeHandler(exchange -> {
              EventSender.open(exchange, fields).close();
              return null;
            })
            .start();
        Response response = client.send(request(server))) {
      assertEquals(List.of("no-store"), response.headers().all("Cache-Control"));
      assertEquals("yes", response.headers().first("X-Mine"));
      assertEquals("text/event-stream", response.headers().first("Content-Type"));
    }
  }

  @Test
  void aSourceGoesOnAfterTheLastEventThatItGot() throws Exception {
    try (HttpServer server = serve((events, exchange) -> {
          events.retry(Duration.ZERO);
          String last = events.lastEventId();
          int next = last.isEmpty() ? 1 : last.codePointAt(0) - 0x20ac + 1;
          events.send(new ServerSentEvent("message", "" + next, Character.toString(0x20ac + next)));
        });
        EventSource source = EventSource.builder(client, request(server))
            .reconnectDelay(Duration.ofMillis(1))
            .build()) {
      for (int i = 1; i <= 3; i++) {
        assertEquals("" + i, source.next().data());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\0b", "\n"})
  void noNameOrIdCanEndItsField(String value) throws Exception {
    CompletableFuture<Throwable> unexpected = new CompletableFuture<>();
    try (HttpServer server = serve((events, exchange) -> {
          try {
            for (ServerSentEvent event : List.of(
                new ServerSentEvent(value, "x", ""), new ServerSentEvent("t", "x", value))) {
              IllegalArgumentException failure =
                  assertThrows(IllegalArgumentException.class, () -> events.send(event));
              assertTrue(failure.getMessage().contains("CR, LF or NUL"), failure::getMessage);
            }
            unexpected.complete(null);
          } catch (AssertionError e) {
            unexpected.complete(e);
          }
        });
        EventStream events = EventStream.of(client.send(request(server)))) {
      assertNull(events.next());
      assertNull(unexpected.get());
    }
  }

  @Test
  void manyThreadsSendWithoutMixingTheirEvents() throws Exception {
    try (HttpServer server = serve((events, exchange) -> {
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            String data = (Character.toString('a' + i).repeat(5_000) + "\n").repeat(4);
            threads.add(Thread.ofVirtual().start(() -> {
              try {
                events.send(data);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            }));
          }
          for (Thread thread : threads) {
            thread.join();
          }
        });
        EventStream events = EventStream.of(client.send(request(server)))) {
      Set<Integer> letters = new HashSet<>();
      for (ServerSentEvent event : events) {
        assertEquals(20_004, event.data().length());
        assertEquals(2, event.data().chars().distinct().count());
        letters.add((int) event.data().charAt(0));
      }
      assertEquals(20, letters.size());
    }
  }

  @Test
  void heartbeatsAreSentUntilTheStreamIsOver() throws Exception {
    CompletableFuture<Boolean> open = new CompletableFuture<>();
    try (HttpServer server = serve((events, exchange) -> {
          events.heartbeat(Duration.ofMillis(10));
          assertTrue(events.isOpen());
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            // The client has reset the connection, which the server has noticed.
          }
          while (events.isOpen()) {
            Thread.onSpinWait();
          }
          assertThrows(IOException.class, () -> events.send("late"));
          open.complete(events.isOpen());
        });
        RawConnection c = RawConnection.connect(network, server.address())) {
      head(c);
      c.expect(":\n\n:\n\n:\n\n");
      c.reset();
      assertFalse(open.get());
    }
  }

  @Test
  void sendingFailsOnceTheClientHasGone() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    try (HttpServer server = serve((events, exchange) -> {
          try {
            while (true) {
              events.send("x".repeat(1000));
            }
          } catch (IOException e) {
            failure.complete(e);
          }
        });
        RawConnection c = RawConnection.connect(network, server.address())) {
      head(c);
      c.close();
      assertTrue(failure.get() instanceof IOException);
    }
  }
}
