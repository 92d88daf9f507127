package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.promises.FaultyNetwork.Fault;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Promise 5: a lease is released exactly once")
@Timeout(60)
class LeaseReleasedOnceTest {
  /** Takes requests with their content and answers in two pieces. */
  private static ScriptedPeer.Script server(HttpVersion version) {
    ScriptedPeer.Script answers = version == HttpVersion.HTTP_2
        ? Http2Peer.server(h2 -> {
          h2.handshake();
          while (h2.connection().hasMore()) {
            var head = h2.expectHeaders();
            if (!head.endStream()) {
              h2.expectContent(head.streamId());
            }
            h2.sendHeaders(head.streamId(), false, ":status: 200", "content-length: 4");
            h2.sendData(head.streamId(), false, "do");
            h2.connection().sleep(Duration.ofMillis(5));
            h2.sendData(head.streamId(), true, "ne");
          }
        })
        : c -> {
          while (c.hasMore()) {
            c.expectMessage();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndo");
            c.sleep(Duration.ofMillis(5));
            c.send("ne");
          }
        };
    return connection -> {
      try {
        answers.run(connection);
      } catch (IOException | AssertionError cutShort) {
        // What the server sees of a call that ends early is not the matter here.
        connection.close();
      }
    };
  }

  private static Request request(ScriptedPeer peer) throws IOException {
    Body body = Body.of(new ByteArrayInputStream(new byte[40_000]), 40_000);
    return Request.post(peer.url("/"), body);
  }

  /** What the pool counts is what there is: no permit lost, and none given back twice. */
  private static void assertPermitsAreSockets(SimNetwork network, HttpClient client, String where)
      throws IOException {
    network.sleep(Duration.ofMillis(100));
    long sockets = network.connections().stream().filter(c -> c.isClientOpen()).count();
    assertEquals(sockets, client.pool().open(), where);
    for (RouteSnapshot route : client.pool().routes()) {
      assertEquals(0, route.inFlight(), where);
      assertEquals(0, route.pending(), where);
      assertTrue(route.open() <= 1, where);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, INTERRUPT",
    "HTTP_1_1, FAILURE",
    "HTTP_1_1, ERROR",
    "HTTP_2, INTERRUPT",
    "HTTP_2, FAILURE",
    "HTTP_2, ERROR"
  })
  void permitsAreSocketsWhicheverStepOfACallGoesWrong(HttpVersion version, Fault fault)
      throws Exception {
    int step = 1;
    while (goesWrong(version, fault, step)) {
      step++;
    }
    // Look up, connect, write: before and after each.
    assertTrue(step > 6, "only " + (step - 1) + " steps were seen");
  }

  private static boolean goesWrong(HttpVersion version, Fault fault, int step) throws Exception {
    String where = version + ", " + fault + " at step " + step;
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      AtomicBoolean struck = new AtomicBoolean();
      FaultyNetwork faulty = new FaultyNetwork(network, fault, step);
      network.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(network, server(version));
            HttpClient client = HttpClient.builder()
                .network(faulty.asNetwork())
                .resolver(faulty.resolver())
                .version(version)
                .poolLimits(
                    PoolLimits.builder().maxPerRoute(1).maxHttp2PerRoute(1).build())
                .build()) {
          call(network, client, request(peer), where);
          struck.set(faulty.disarm());
          assertPermitsAreSockets(network, client, where);
          // The place is free for the next.
          assertEquals("done", client.send(request(peer)).string(), where);
          assertPermitsAreSockets(network, client, where);
        }
      });
      return struck.get();
    }
  }

  /** Ends in any way, on another thread, which may be interrupted. */
  private static void call(SimNetwork network, HttpClient client, Request request, String where)
      throws Exception {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    network.executor().execute(() -> {
      try (Response response = client.send(request)) {
        assertEquals("done", response.string(), where);
        over.complete(true);
      } catch (InterruptedIOException e) {
        over.complete(Thread.interrupted());
      } catch (HttpException | OutOfMemoryError e) {
        over.complete(true);
      } catch (Throwable e) {
        over.completeExceptionally(e);
      }
    });
    // No polling: what waits for half a minute of the world's time is over in no time here.
    assertTrue(over.get(), where + ": the flag is not set");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void permitsAreSocketsWheneverACallIsInterrupted(HttpVersion version) throws Exception {
    Duration latency = Duration.ofMillis(4);
    SimNetwork.Builder network = SimNetwork.builder().latency(latency, latency).sendBuffer(10_000);
    try (ClientWorld world = new ClientWorld(network, client -> client
        .version(version)
        .poolLimits(PoolLimits.builder().maxPerRoute(1).maxHttp2PerRoute(1).build()))) {
      world.visitMany(
          peer -> {
            boolean interrupted = true;
            for (int millis = 0; interrupted; millis++) {
              ClientWorld.Running call = world.start(request(peer));
              world.network.sleep(Duration.ofMillis(millis));
              call.thread().interrupt();
              world.untilOver(call.outcome());
              interrupted = call.outcome().isCompletedExceptionally();
              if (interrupted) {
                assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
              } else {
                assertEquals("done", call.outcome().get().string());
              }
              assertPermitsAreSockets(world.network, world.client, "after " + millis + " ms");
            }
          },
          server(version));
    }
  }
}
