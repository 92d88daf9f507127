package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.Timeouts;
import heddle.http.HeaderName;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines that calls inherit, and that they tell to servers. */
@Timeout(60)
class DeadlinesTest {
  private final ClientWorld world = new ClientWorld();
  private final Clock clock = world.network.clock();

  private static void assertFailedAfter(Duration time, HttpException failure) {
    assertInstanceOf(DeadlineExceededException.class, failure);
    assertEquals(time, failure.at().elapsed());
  }

  @Test
  void callsTakeTheNearerOfTheirOwnDeadlineAndTheInheritedOne() throws Exception {
    try (world) {
      world.visitMany(
          peer -> {
            Request own =
                Request.builder(peer.url("/")).deadline(Duration.ofSeconds(3)).build();
            Deadlines.within(Duration.ofSeconds(5), clock, () -> {
              assertFailedAfter(
                  Duration.ofSeconds(3),
                  assertThrows(HttpException.class, () -> world.client.send(own)));
              assertFailedAfter(Duration.ofSeconds(2), world.failureOf(peer.url("/")));
              return null;
            });
          },
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void aNestedDeadlineCannotBeFurtherThanTheOneAroundIt() throws Exception {
    try (world) {
      world.visitMany(
          peer -> {
            HttpException failure = Deadlines.within(
                Duration.ofSeconds(2),
                clock,
                () -> Deadlines.within(
                    Duration.ofSeconds(9), clock, () -> world.failureOf(peer.url("/"))));
            assertFailedAfter(Duration.ofSeconds(2), failure);
          },
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void asyncCallInheritsToo() throws Exception {
    try (world) {
      world.visitMany(
          peer -> {
            Request get = Request.get(peer.url("/"));
            ExecutionException failure = Deadlines.within(
                Duration.ofSeconds(2),
                clock,
                () -> assertThrows(
                    ExecutionException.class, () -> world.client.sendAsync(get).get()));
            assertInstanceOf(DeadlineExceededException.class, failure.getCause());
            assertTrue(world.now().toSeconds() < 3, world.now().toString());
          },
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void aDeadlineOnAnotherClockIsTranslated() throws Exception {
    // One that has gone further, and stands still.
    Clock other = () -> Duration.ofDays(1).toNanos();
    try (world) {
      world.visitMany(
          peer -> assertFailedAfter(
              Duration.ofSeconds(2),
              Deadlines.within(Duration.ofSeconds(2), other, () -> world.failureOf(peer.url("/")))),
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void whatTheOperationThrowsIsThrownAndAfterItNoDeadlineHolds() throws Exception {
    try (world) {
      world.visitMany(
          peer -> {
            assertThrows(
                IOException.class,
                () -> Deadlines.within(Duration.ofSeconds(2), clock, () -> {
                  throw new IOException("of the operation");
                }));
            assertFailedAfter(Duration.ofSeconds(30), world.failureOf(peer.url("/")));
          },
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void aDeadlineInThePastIsRefused() {
    world.close();
    IllegalArgumentException refused = assertThrows(
        IllegalArgumentException.class, () -> Deadlines.within(Duration.ZERO, () -> 1));
    assertTrue(refused.getMessage().contains("PT0S"), refused.getMessage());
  }

  @Test
  void deadlineHeaderSaysWhatIsLeftWhenTheRequestIsSent() throws Exception {
    world.close();
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    HeaderName name = HeaderName.of("Request-Timeout-Millis");
    try (ClientWorld telling = new ClientWorld(client -> client
        .deadlineHeader(name)
        .timeouts(Timeouts.builder().call(Duration.ofSeconds(20)).build())
        .resolver((host, deadline) -> {
          // Looking up takes its time.
          network.get().sleep(Duration.ofSeconds(4));
          return List.of(InetAddress.getLoopbackAddress());
        }))) {
      network.set(telling.network);
      telling.visit(peer -> assertEquals("Hello!", telling.get(peer).string()), c -> {
        String head = c.expectHead();
        assertTrue(head.contains("\r\nRequest-Timeout-Millis: 16000\r\n"), head);
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
      });
    }
  }
}
