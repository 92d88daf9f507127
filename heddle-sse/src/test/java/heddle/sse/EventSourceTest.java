package heddle.sse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.StatusException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.TlsException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that connect again, and streams that do not. */
@Timeout(60)
final class EventSourceTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n";

  @AutoClose
  private final HttpClient client = HttpClient.create();

  private static MockResponse stream(String events) {
    return MockResponse.ok(events).header("Content-Type", "text/event-stream");
  }

  private EventSource.Builder source(String url) throws IOException {
    return EventSource.builder(client, client.request(url).build())
        .reconnectDelay(Duration.ofMillis(1));
  }

  private static List<String> data(Iterable<ServerSentEvent> events) {
    List<String> data = new ArrayList<>();
    events.forEach(event -> data.add(event.data()));
    return data;
  }

  // ---- one response

  @Test
  void streamEndsWithItsResponse() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> stream("retry: 7\nid: 1\ndata: a\n\ndata: b\n\ndata: c"));
      try (EventStream events = EventStream.of(client.get(server.url("/")))) {
        assertEquals(List.of("a", "b"), data(events));
        assertNull(events.next());
        assertEquals("1", events.lastEventId());
        assertEquals(Duration.ofMillis(7), events.retry());
      }
    }
  }

  @Test
  void streamOfALanguageModelEndsWhereItSays() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> stream("data: a\n\ndata: [DONE]\n\ndata: b\n\n"));
      try (EventStream events = EventStream.of(client.get(server.url("/"))).until("[DONE]")) {
        assertEquals(List.of("a"), data(events));
        assertNull(events.next());
      }
    }
  }

  @Test
  void otherResponsesAreNoStreams() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> request.target().equals("/404")
          ? MockResponse.of(404).body("gone")
          : MockResponse.ok("{}").header("Content-Type", "application/json"));
      NoEventStreamException failure = assertThrows(
          NoEventStreamException.class, () -> EventStream.of(client.get(server.url("/json"))));
      assertTrue(failure.getMessage().contains("is application/json"), failure::getMessage);
      assertThrows(StatusException.class, () -> EventStream.of(client.get(server.url("/404"))));
      assertThrows(StatusException.class, () -> EventSource.open(client, server.url("/404"))
          .next());
      assertThrows(
          NoEventStreamException.class,
          () -> source(server.url("/json")).build().next());
    }
  }

  // ---- reconnecting

  /** Of a thousand connections each breaks off somewhere, even within an event or a chunk. */
  @Test
  void thousandRestartsOfTheServerLoseAndDoubleNothing() throws Exception {
    Random random = new Random(5);
    AtomicInteger connections = new AtomicInteger();
    try (TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          int next = lastId(c.expectHead()) + 1;
          StringBuilder events = new StringBuilder("retry: 0\n\n");
          for (int i = 0; i < 5; i++, next++) {
            events.append("id: " + next + "\ndata: event\ndata: " + next + "\n\n");
          }
          String all = events.toString();
          String sent = all.substring(0, 40 + random.nextInt(all.length() - 40));
          boolean chunked = connections.incrementAndGet() % 2 == 0;
          c.send(
              chunked
                  ? HEAD + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(all.length())
                      + "\r\n" + sent
                  : HEAD + "\r\n" + sent);
        })) {
      try (EventSource source = source(peer.url("/")).build()) {
        int expected = 1;
        while (connections.get() < 1_000) {
          ServerSentEvent event = source.next();
          assertEquals("event\n" + expected, event.data());
          assertEquals(String.valueOf(expected), event.id());
          expected++;
        }
        assertTrue(expected > 1_000, expected + " events");
      }
    }
  }

  private static int lastId(String head) {
    int at = head.toLowerCase(Locale.ROOT).indexOf("last-event-id: ");
    return at < 0 ? 0 : Integer.parseInt(head.substring(at + 15, head.indexOf('\r', at)));
  }

  @Test
  void requestSaysWhatItWantsAndWhereItWas() throws Exception {
    try (MockServer server = MockServer.start()) {
      AtomicInteger calls = new AtomicInteger();
      server.handler(request ->
          calls.incrementAndGet() == 1 ? stream("id: ä1\ndata: a\n\n") : MockResponse.of(204));
      Request request = client.request(server.url("/")).header("X-Own", "kept").build();
      try (EventSource source = EventSource.builder(client, request)
          .lastEventId("0")
          .reconnectDelay(Duration.ZERO)
          .build()) {
        assertEquals(List.of("a"), data(source));
        assertEquals("ä1", source.lastEventId());
      }
      var first = server.takeRequest();
      assertEquals("0", first.header("Last-Event-ID"));
      assertEquals("text/event-stream", first.header("Accept"));
      assertEquals("no-store", first.header("Cache-Control"));
      assertEquals("kept", first.header("X-Own"));
      byte[] octets = server.takeRequest().header("Last-Event-ID").getBytes(ISO_8859_1);
      assertEquals("ä1", new String(octets, UTF_8));
    }
  }

  @Test
  void serverThatIsAwayForAWhileIsAskedAgain() throws Exception {
    try (MockServer server = MockServer.start()) {
      AtomicInteger calls = new AtomicInteger();
      server.handler(request -> switch (calls.incrementAndGet()) {
        case 1 -> MockResponse.of(503);
        case 2 -> MockResponse.of(429);
        case 3 -> stream("data: back\n\n");
        default -> MockResponse.of(204);
      });
      try (EventSource source = source(server.url("/")).build()) {
        assertEquals(List.of("back"), data(source));
        assertNull(source.next());
      }
      assertEquals(4, calls.get());
    }
  }

  /** Without a comment a connection may be dead. */
  @Test
  void silentConnectionIsReplaced() throws Exception {
    Timeouts impatient = Timeouts.builder().silence(Duration.ofMillis(300)).build();
    AtomicInteger connections = new AtomicInteger();
    try (HttpClient own = HttpClient.builder().timeouts(impatient).build();
        TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          int number = connections.incrementAndGet();
          c.send(HEAD + "\r\nretry: 0\ndata: of connection " + number + "\n\n");
          c.hasMore();
        })) {
      try (EventSource source = EventSource.open(own, peer.url("/"))) {
        String first = source.next().data();
        String second = source.next().data();
        assertTrue(first.startsWith("of connection "), first);
        assertNotEquals(first, second);
      }
    }
  }

  @Test
  void sourceGivesUpWithTheLastFailureIfItIsTold() throws Exception {
    String url;
    try (MockServer server = MockServer.start()) {
      url = server.url("/");
    }
    EventSource source = source(url)
        .giveUpAfter(Duration.ofMillis(50))
        .maxDelay(Duration.ofMillis(20))
        .build();
    UncheckedIOException failure =
        assertThrows(UncheckedIOException.class, () -> source.iterator().hasNext());
    assertInstanceOf(ConnectFailedException.class, failure.getCause());
    assertNull(source.next(), "it has ended");
  }

  @Test
  void streamCannotAskForALongerWaitThanAllowed() throws Exception {
    try (MockServer server = MockServer.start()) {
      AtomicInteger calls = new AtomicInteger();
      server.handler(request -> calls.incrementAndGet() == 1
          ? stream("retry: 999999999999999999\ndata: a\n\n")
          : MockResponse.of(204));
      try (EventSource source =
          source(server.url("/")).maxDelay(Duration.ofMillis(5)).build()) {
        assertEquals(List.of("a"), data(source));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 ", " 1", "\t1", "a\u0001b"})
  void idThatAFieldCannotHaveIsNotSent(String id) throws Exception {
    try (MockServer server = MockServer.start()) {
      AtomicInteger calls = new AtomicInteger();
      server.handler(request -> calls.incrementAndGet() == 1
          ? stream("id: " + id + "\ndata: a\n\n")
          : MockResponse.of(204));
      Request request =
          client.request(server.url("/")).header("Last-Event-ID", "old").build();
      try (EventSource source =
          EventSource.builder(client, request).reconnectDelay(Duration.ZERO).build()) {
        assertEquals(List.of("a"), data(source));
        assertEquals(id, source.lastEventId());
      }
      assertNull(server.requests().getLast().header("Last-Event-ID"));
    }
  }

  /** As of a server that restarts. */
  @Test
  void handshakeThatBreaksOffIsTriedAgain() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          connections.incrementAndGet();
          c.expectBytes(10);
        })) {
      EventSource source = source(peer.url("/").replace("http:", "https:"))
          .giveUpAfter(Duration.ofMillis(20))
          .maxDelay(Duration.ofMillis(5))
          .build();
      assertThrows(TlsException.class, source::next);
      assertTrue(connections.get() > 1, connections + " connections");
    }
  }

  // ---- the end

  @Test
  void closingEndsAThreadThatWaitsForAnEventOrBeforeAConnection() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    try (TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          c.send(HEAD + "\r\n: hello\n\n");
          waiting.countDown();
          c.hasMore();
        })) {
      EventSource source = source(peer.url("/")).build();
      FutureTask<@Nullable ServerSentEvent> reading = reading(source);
      waiting.await();
      source.close();
      assertNull(reading.get());
      assertNull(source.next());
    }
    CompletableFuture<Boolean> refused = new CompletableFuture<>();
    try (MockServer server = MockServer.start()) {
      server.handler(request -> {
        refused.complete(true);
        return MockResponse.of(503);
      });
      EventSource source = source(server.url("/"))
          .reconnectDelay(Duration.ofHours(1))
          .maxDelay(Duration.ofHours(1))
          .build();
      FutureTask<@Nullable ServerSentEvent> reading = reading(source);
      assertTrue(refused.get());
      source.close();
      assertNull(reading.get());
    }
  }

  private static FutureTask<@Nullable ServerSentEvent> reading(EventSource source) {
    FutureTask<@Nullable ServerSentEvent> reading = new FutureTask<>(source::next);
    Thread.ofVirtual().start(reading);
    return reading;
  }

  @Test
  void interruptClosesTheSource() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.of(503));
      EventSource source =
          source(server.url("/")).reconnectDelay(Duration.ofHours(1)).build();
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      FutureTask<@Nullable ServerSentEvent> reading = new FutureTask<>(() -> {
        try {
          return source.next();
        } finally {
          flag.complete(Thread.currentThread().isInterrupted());
        }
      });
      Thread thread = Thread.ofVirtual().start(reading);
      thread.interrupt();
      Throwable failure = assertThrows(ExecutionException.class, reading::get).getCause();
      assertInstanceOf(InterruptedIOException.class, failure);
      assertTrue(flag.get());
      assertNull(source.next());
    }
  }

  @Test
  void eventThatIsTooLargeEndsTheSource() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> stream("data: " + "x".repeat(1000) + "\n\n"));
      EventSource source = source(server.url("/")).maxEventBytes(100).build();
      assertThrows(EventTooLargeException.class, source::next);
      assertEquals(1, server.requests().size());
      assertFalse(source.iterator().hasNext());
    }
  }

  @Test
  void unusableSettingsAreRefused() throws Exception {
    EventSource.Builder builder = source("http://localhost/");
    Request once =
        Request.post("http://localhost/", Body.of(new ByteArrayInputStream(new byte[1])));
    assertThrows(IllegalArgumentException.class, () -> EventSource.builder(client, once));
    assertThrows(IllegalArgumentException.class, () -> builder.maxDelay(Duration.ofDays(2)));
    assertThrows(IllegalArgumentException.class, () -> builder.maxEventBytes(0));
    assertThrows(IllegalArgumentException.class, () -> builder.maxDelay(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.giveUpAfter(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class, () -> builder.reconnectDelay(Duration.ofMillis(-1)));
  }
}
