package heddle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The meters of a client, by their conventional names and tags. */
@org.junit.jupiter.api.Timeout(60)
class HeddleMetricsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";
  private static final String MISSING = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";
  private static final String BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SimNetwork network = SimNetwork.builder().virtualTime().build();
  private final HeddleMetrics metrics = HeddleMetrics.builder(registry)
      .tags(Tags.of("client.name", "test"))
      .uri(request -> request.path().startsWith("/orders/") ? "/orders/{id}" : "UNKNOWN")
      .build();

  @AfterEach
  void close() {
    network.close();
    registry.close();
  }

  @FunctionalInterface
  private interface Visit {
    void to(HttpClient client, ScriptedPeer peer) throws Exception;
  }

  /** Runs a visit to a server that serves one connection, which follows the script. */
  private void visit(ScriptedPeer.Script script, Visit visit) throws Exception {
    visit(new ScriptedPeer.Script[] {script}, visit);
  }

  private void visit(ScriptedPeer.Script[] scripts, Visit visit) throws Exception {
    network.run(() -> {
      HttpClient.Builder builder = HttpClient.builder()
          .network(network.lasting())
          .poolLimits(PoolLimits.builder().maxPerRoute(1).build())
          .retries(RetryPolicy.onStatus().statuses(503).build())
          .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()));
      try (ScriptedPeer peer = ScriptedPeer.inOrder(network, scripts);
          HttpClient client = metrics.client(builder)) {
        visit.to(client, peer);
      }
    });
  }

  private static ScriptedPeer.Script answering(String... answers) {
    return c -> {
      for (String answer : answers) {
        c.expectHead();
        c.send(answer);
      }
      c.hasMore();
    };
  }

  private Timer onlyTimer() {
    assertEquals(1, registry.get("http.client.requests").timers().size());
    return registry.get("http.client.requests").timer();
  }

  private void assertTag(String value, String key) {
    assertEquals(value, onlyTimer().getId().getTag(key), key);
  }

  @Test
  void callsAreTimedWithTheConventionalTags() throws Exception {
    visit(answering(OK, OK), (client, peer) -> {
      client.send(Request.get(peer.url("/orders/7"))).close();
      client.send(Request.get(peer.url("/orders/8?q=1"))).close();
      assertEquals(2, onlyTimer().count());
      assertTag("GET", "method");
      assertTag("/orders/{id}", "uri");
      assertTag("200", "status");
      assertTag("SUCCESS", "outcome");
      assertTag("none", "exception");
      assertTag("http", "target.scheme");
      assertTag("localhost", "target.host");
      assertTag(Integer.toString(peer.port()), "target.port");
      assertTag("test", "client.name");
    });
  }

  @Test
  void timeGoesOnUntilTheBodyIsRead() throws Exception {
    ScriptedPeer.Script script = c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHell");
      c.sleep(Duration.ofSeconds(3));
      c.send("o!");
      c.hasMore();
    };
    visit(script, (client, peer) -> {
      Response response = client.send(Request.get(peer.url("/")));
      assertTrue(registry.find("http.client.requests").timers().isEmpty());
      assertEquals("Hello!", response.string());
      response.close();
      assertEquals(3, onlyTimer().totalTime(TimeUnit.SECONDS), 0.001);
    });
  }

  @Test
  void serversErrorIsAnOutcome() throws Exception {
    visit(answering(MISSING), (client, peer) -> {
      client.send(Request.get(peer.url("/"))).close();
      assertTag("404", "status");
      assertTag("CLIENT_ERROR", "outcome");
      assertTag("UNKNOWN", "uri");
    });
  }

  @Test
  void failureIsTaggedWithItsException() throws Exception {
    visit(new ScriptedPeer.Script[0], (client, peer) -> {
      Request refused = Request.get("http://a.test:81/");
      assertThrows(HttpException.class, () -> client.send(refused).close());
      assertTag("IO_ERROR", "status");
      assertTag("UNKNOWN", "outcome");
      assertTag("ConnectFailedException", "exception");
      assertTag("a.test", "target.host");
    });
  }

  @Test
  void requestsThatAreSentAgainAreCounted() throws Exception {
    visit(answering(BUSY, BUSY, OK), (client, peer) -> {
      client.send(Request.get(peer.url("/"))).close();
      assertEquals(2, registry.get("http.client.retries").counter().count());
      assertEquals(1, onlyTimer().count(), "it was one call");
    });
  }

  private double gauge(String name) {
    return registry.get("http.client.pool." + name).gauge().value();
  }

  @Test
  void gaugesFollowThePool() throws Exception {
    ScriptedPeer.Script script = c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
      c.sleep(Duration.ofSeconds(2));
      c.send("Hello!");
      c.expectHead();
      c.send(OK);
      c.hasMore();
    };
    visit(script, (client, peer) -> {
      assertEquals(0, gauge("open"));
      Response holds = client.send(Request.get(peer.url("/")));
      assertEquals(1, gauge("open"));
      assertEquals(1, gauge("in.use"));
      assertEquals(1, gauge("in.flight"));
      assertEquals(0, gauge("idle"));
      Thread waiting = network.threadFactory().newThread(() -> {
        try {
          client.send(Request.get(peer.url("/"))).close();
        } catch (IOException e) {
          // The gauges are looked at, not its outcome.
        }
      });
      waiting.start();
      network.sleep(Duration.ofSeconds(1));
      assertEquals(1, gauge("pending"));
      assertEquals("Hello!", holds.string());
      holds.close();
      while (gauge("idle") != 1) {
        network.sleep(Duration.ofMillis(1));
      }
      assertEquals(1, gauge("open"));
      assertEquals(0, gauge("in.use"));
      assertEquals(0, gauge("pending"));
      assertEquals(client.pool().routes().getFirst().neededInFlight(), (int) gauge("needed"));
      assertTrue(gauge("needed") >= 1, "a call of a second came within the last few");
    });
  }

  @Test
  void refusalsOfThePoolAreCounted() throws Exception {
    ScriptedPeer.Script script = c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
      c.hasMore();
    };
    visit(script, (client, peer) -> {
      Response holds = client.send(Request.get(peer.url("/")));
      Request late = Request.get(peer.url("/"));
      assertThrows(DeadlineExceededException.class, () -> client.send(late).close());
      assertEquals(1, registry.get("http.client.pool.refusals").counter().count());
      holds.close();
    });
  }
}
