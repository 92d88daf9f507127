package heddle.client.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.Proxy;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.names.Resolver;
import heddle.transport.tcp.TcpNetwork;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of the JDK's flight recorder holds of a client's calls. */
@Timeout(120)
class FlightRecordingTest {
  private static final List<String> EVENTS = List.of(
      "heddle.Call",
      "heddle.Attempt",
      "heddle.Queue",
      "heddle.Resolve",
      "heddle.Connect",
      "heddle.Tls",
      "heddle.Exchange",
      "heddle.PoolRefusal",
      "heddle.Http2Connection");

  @TempDir
  Path directory;

  private interface Action {
    void run() throws Exception;
  }

  private List<RecordedEvent> record(Action action) throws Exception {
    Path file = directory.resolve("calls.jfr");
    try (Recording recording = new Recording()) {
      EVENTS.forEach(name -> recording.enable(name).withoutThreshold());
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("heddle."))
        .toList();
  }

  /** In the order of their starts: a recording has the order in which threads gave buffers up. */
  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("heddle." + name))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .toList();
  }

  private static RecordedEvent one(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found = of(events, name);
    assertEquals(1, found.size(), name + " among " + events);
    return found.getFirst();
  }

  @Test
  void everyPhaseOfACallIsAnEventAndTheyBelongTogether() throws Exception {
    Duration distance = Duration.ofMillis(10);
    List<RecordedEvent> events;
    try (ClientWorld world =
        new ClientWorld(SimNetwork.builder().latency(distance, distance), client -> client)) {
      events = record(() -> world.visit(
          peer -> assertEquals(
              "Hello!", world.client.send(Request.get(peer.url("/path?secret"))).string()),
          c -> {
            c.expectHead();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
            c.hasMore();
          }));
    }
    RecordedEvent call = one(events, "Call");
    assertEquals("GET", call.getString("method"));
    assertEquals("/path", call.getString("path"));
    assertEquals(200, call.getInt("status"));
    assertEquals("HTTP/1.1", call.getString("protocol"));
    assertEquals(1, call.getInt("attempts"));
    assertEquals(6, call.getLong("contentReceived"));
    assertEquals(Duration.ofMillis(20), call.getDuration("connect"));
    assertEquals(Duration.ofMillis(20), call.getDuration("awaitHead"));
    long id = call.getLong("callId");
    for (String part : List.of("Attempt", "Resolve", "Connect", "Exchange")) {
      assertEquals(id, one(events, part).getLong("callId"), part);
    }
    assertEquals(call.getLong("connectionId"), one(events, "Exchange").getLong("connectionId"));
    assertFalse(one(events, "Connect").getString("address").isEmpty());
    assertTrue(of(events, "Queue").isEmpty());
    assertTrue(of(events, "PoolRefusal").isEmpty());
  }

  @Test
  void sharedConnectionsAndAttemptsHaveSeparateEvents() throws Exception {
    List<RecordedEvent> events;
    try (ClientWorld world = new ClientWorld(client -> client.version(HttpVersion.HTTP_2))) {
      events = record(() -> {
        world.visit(peer -> assertEquals("done", world.get(peer).string()), Http2Peer.server(h2 -> {
          h2.handshake();
          h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.REFUSED_STREAM);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "done");
          h2.expectGoAway(ErrorCode.NO_ERROR);
        }));
        world.network.run(() -> world.until(() -> world.pool().open() == 0));
      });
    }
    assertEquals(2, one(events, "Call").getInt("attempts"));
    List<RecordedEvent> attempts = of(events, "Attempt");
    assertEquals(2, attempts.size());
    assertTrue(attempts.getFirst().getString("failure").contains("REFUSED_STREAM"));
    assertEquals(200, attempts.getLast().getInt("status"));
    assertEquals(2, of(events, "Exchange").size());
  }

  @Test
  void theLifeOfASharedConnectionIsAnEvent() throws Exception {
    CompletableFuture<RecordedEvent> life = new CompletableFuture<>();
    try (RecordingStream recording = new RecordingStream();
        ClientWorld world = new ClientWorld(client -> client.version(HttpVersion.HTTP_2))) {
      recording.enable("heddle.Http2Connection").withoutThreshold();
      recording.onEvent("heddle.Http2Connection", life::complete);
      recording.startAsync();
      world.visit(peer -> assertEquals("done", world.get(peer).string()), Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "done");
        h2.sendGoAway(1, ErrorCode.NO_ERROR);
        h2.connection().close();
      }));
      RecordedEvent event = life.get(60, TimeUnit.SECONDS);
      assertTrue(event.getLong("connectionId") > 0);
      assertTrue(event.getString("origin").startsWith("http://localhost:"));
      assertFalse(event.getDuration().isNegative());
    }
  }

  @Test
  void aLookUpThatFailsIsAnEventThatNamesTheHost() throws Exception {
    List<RecordedEvent> events;
    Resolver nobody = (host, deadline) -> {
      throw new UnknownHostException("nobody is called " + host);
    };
    try (ClientWorld world = new ClientWorld(client -> client.resolver(nobody))) {
      events = record(() -> world.network.run(() -> world.failureOf("http://who.test/")));
    }
    RecordedEvent lookup = one(events, "Resolve");
    assertEquals("who.test", lookup.getString("host"));
    assertTrue(lookup.getString("failure").contains("UnresolvedHostException"), lookup.toString());
  }

  /** Not the origin's name, which is not looked up, nor that of the previous proxy. */
  @Test
  void failedLookupsOfProxiesNameTheProxy() throws Exception {
    List<RecordedEvent> events;
    Resolver nobody = (host, deadline) -> {
      throw new UnknownHostException("nobody is called " + host);
    };
    List<Proxy> proxies = List.of(Proxy.http("first.test", 3128), Proxy.http("next.test", 3128));
    try (ClientWorld world =
        new ClientWorld(client -> client.resolver(nobody).proxies(origin -> proxies))) {
      events = record(() -> world.network.run(() -> world.failureOf("http://who.test/")));
    }
    List<String> lookedUp =
        of(events, "Resolve").stream().map(each -> each.getString("host")).toList();
    assertEquals(List.of("first.test", "next.test"), lookedUp);
  }

  @Test
  void aHandshakeThatFailsIsAnEventThatSaysWhy() throws Exception {
    List<RecordedEvent> events;
    try (ClientWorld world = new ClientWorld(client -> client)) {
      events = record(() ->
          world.visit(peer -> world.failureOf(peer.url("/").replace("http:", "https:")), c -> {
            c.send("HTTP/1.1 400 Bad Request\r\n\r\n");
            c.close();
          }));
    }
    String failure = one(events, "Tls").getString("failure");
    assertTrue(failure.contains("TlsException"), failure);
    assertEquals(failure, one(events, "Call").getString("failure"));
  }

  @Test
  void waitingForAConnectionAndBeingRefusedOneAreEvents() throws Exception {
    List<RecordedEvent> events;
    PoolLimits one = PoolLimits.builder().maxPerRoute(1).maxQueuedPerRoute(1).build();
    try (ClientWorld world = new ClientWorld(client -> client.poolLimits(one))) {
      events = record(() -> world.visit(
          peer -> {
            Response holds = world.get(peer);
            ClientWorld.Running waits = world.start(Request.get(peer.url("/")));
            world.until(() -> world.pending() == 1);
            assertThrows(HttpException.class, () -> world.get(peer).close());
            assertEquals("Hello!", holds.string());
            world.assertAnswered(waits, "Hello!");
          },
          c -> {
            for (int i = 0; i < 2; i++) {
              c.expectHead();
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
              c.sleep(Duration.ofSeconds(1));
              c.send("Hello!");
            }
          }));
    }
    RecordedEvent refused = one(events, "PoolRefusal");
    String refusal = refused.getString("failure");
    assertTrue(refusal.contains("maxQueuedPerRoute"), refusal);
    assertEquals(1, refused.getInt("open"));
    assertEquals(0, refused.getInt("idle"));
    assertEquals(1, refused.getInt("inUse"));
    assertEquals(1, refused.getInt("pending"));
    assertEquals(1, refused.getInt("inFlight"));
    assertEquals(3, refused.getDouble("arrivalRate"), 0.1);
    assertEquals(3, of(events, "Call").size());
    assertEquals(1, of(events, "Queue").size());
  }

  @Test
  void whatThePoolHoldsIsRecordedNowAndThen() throws Exception {
    CompletableFuture<RecordedEvent> used = new CompletableFuture<>();
    try (RecordingStream recording = new RecordingStream();
        TcpNetwork servers = TcpNetwork.create();
        HttpClient client = HttpClient.create()) {
      recording.enable("heddle.Pool").withPeriod(Duration.ofMillis(10));
      recording.onEvent("heddle.Pool", event -> {
        if (event.getInt("inUse") == 1) {
          used.complete(event);
        }
      });
      recording.startAsync();
      try (ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHel");
        used.get(60, TimeUnit.SECONDS);
        c.send("lo!");
        c.hasMore();
      })) {
        Response response = client.send(Request.get(peer.url("/")));
        RecordedEvent event = used.get(60, TimeUnit.SECONDS);
        assertEquals("Hello!", response.string());
        assertTrue(peer.url("/").startsWith(event.getString("origin")), event.getString("origin"));
        assertEquals(1, event.getInt("open"));
        assertEquals(0, event.getInt("idle"));
        assertEquals(1, event.getInt("inFlight"));
      }
    }
  }
}
