package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AcquireTimeoutException;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Waiting;
import heddle.transport.names.Resolver;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines, silence and the limits of single phases, each at its exact time. */
@Timeout(60)
class TimeLimitTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private void replaceWorld(ClientWorld other) {
    world.close();
    world = other;
  }

  private void resolveWith(Resolver resolver) {
    replaceWorld(
        new ClientWorld(SimNetwork.builder(), Timeouts.DEFAULTS, PoolLimits.DEFAULTS, resolver));
  }

  /** Sends and lets the client close; it may do so before it has read everything. */
  private static ScriptedPeer.Script sendingAndStaying(String text) {
    return c -> {
      c.send(text);
      c.hasMore();
    };
  }

  @Test
  void silenceBeforeTheHeadFails() throws Exception {
    HttpException failure = world.assertFails(
        DeadlineExceededException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(sendingAndStaying("HTTP/1.1 ")));
    ClientWorld.assertSays(failure, "the server sent nothing for 30000 ms");
    ClientWorld.assertSays(failure, "Timeouts.silence");
    assertEquals(Duration.ofSeconds(30), failure.at().elapsed());
  }

  @Test
  void silenceInTheContentFails() throws Exception {
    HttpException failure = world.assertFails(
        DeadlineExceededException.class,
        Phase.READ_BODY,
        Sent.YES,
        world.failureOf(sendingAndStaying(OK + "Content-Length: 6\r\n\r\nHell")));
    assertEquals(Duration.ofSeconds(30), failure.at().elapsed());
  }

  @Test
  void aResponseThatDoesNotBeginInItsTimeFailsBeforeItWouldBySilence() throws Exception {
    replaceWorld(
        new ClientWorld(Timeouts.builder().firstByte(Duration.ofSeconds(2)).build()));
    HttpException failure = world.assertFails(
        DeadlineExceededException.class,
        Phase.AWAIT_HEAD,
        Sent.YES,
        world.failureOf(c -> c.hasMore()));
    ClientWorld.assertSays(failure, "no byte of a response for 2000 ms");
    ClientWorld.assertSays(failure, "Timeouts.firstByte");
    assertEquals(Duration.ofSeconds(2), failure.at().elapsed());
  }

  @Test
  void aResponseMayTakeLongerToBeginThanItMayPauseAndPausesNoLonger() throws Exception {
    replaceWorld(new ClientWorld(Timeouts.builder()
        .firstByte(Duration.ofSeconds(50))
        .silence(Duration.ofSeconds(4))
        .build()));
    HttpException failure = world.failureOf(c -> {
      c.sleep(Duration.ofSeconds(40));
      c.send(OK);
      c.hasMore();
    });
    ClientWorld.assertSays(failure, "Timeouts.silence");
    assertEquals(Duration.ofSeconds(44), failure.at().elapsed());
  }

  @Test
  void bytesThatComeSlowlyAreNoSilence() throws Exception {
    replaceWorld(new ClientWorld(Timeouts.builder().call(Duration.ofHours(1)).build()));
    world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), c -> {
      c.expectHead();
      c.sendSlowly(SIX, 1, Duration.ofSeconds(29));
      c.expectEnd();
    });
    assertTrue(world.now().toSeconds() > 1_000);
  }

  @Test
  void aStreamThatOptsOutOfTheDeadlineLastsAsLongAsItIsNotSilent() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.sendSlowly(SIX, 1, Duration.ofSeconds(29));
      c.expectEnd();
    });
    world.visit(peer -> {
      Request stream = Request.builder(peer.url("/")).noDeadline().build();
      assertEquals("Hello!", world.client.send(stream).string());
    });
    assertTrue(world.now().toSeconds() > 1_000);
  }

  @Test
  void bytesThatComeSlowlyDoNotPutTheDeadlineOff() throws Exception {
    replaceWorld(new ClientWorld(Timeouts.builder().call(MINUTE).build()));
    HttpException failure = world.assertFails(
        DeadlineExceededException.class, Phase.READ_BODY, Sent.YES, world.failureOf(c -> {
          try {
            c.sendSlowly(OK + "\r\n" + "x".repeat(1_000), 1, Duration.ofSeconds(1));
          } catch (IOException e) {
            // The client has gone.
          }
        }));
    assertEquals(MINUTE, failure.at().elapsed());
    ClientWorld.assertSays(failure, "deadline");
  }

  @Test
  void deadlineHoldsInTheQueue() throws Exception {
    replaceWorld(new ClientWorld(PoolLimits.builder()
        .maxPerRoute(1)
        .acquireTimeout(Duration.ofSeconds(10))
        .build()));
    world.serve(ClientWorld::withholdContent);
    world.visit(peer -> {
      Response holds = world.get(peer);
      Request hasty =
          Request.get(peer.url("/")).toBuilder().deadline(Duration.ofSeconds(3)).build();
      HttpException failure =
          assertThrows(HttpException.class, () -> world.client.send(hasty).close());
      assertInstanceOf(DeadlineExceededException.class, failure);
      assertEquals(Phase.QUEUE, failure.at().phase());
      assertEquals(Duration.ofSeconds(3), failure.at().elapsed());
      ClientWorld.assertSays(failure, "no connection became free before the call's deadline");
      ClientWorld.assertSays(failure, "raise maxPerRoute, now 1");
      assertFalse(failure.problem().contains("raise"), failure.problem());
      AcquireTimeoutException late =
          assertThrows(AcquireTimeoutException.class, () -> world.get(peer).close());
      assertFalse(late.problem().contains("raise"), late.problem());
      assertEquals(Duration.ofSeconds(10), late.at().elapsed());
      assertEquals(0, world.pending());
      holds.close();
    });
  }

  @Test
  void deadlineHoldsWhileTheHostIsLookedUp() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    resolveWith((host, deadline) -> {
      Waiting.until(() -> false, network.get().loop(), deadline, "looking up " + host);
      return List.of();
    });
    network.set(world.network);
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          DeadlineExceededException.class,
          Phase.RESOLVE,
          Sent.NO,
          world.failureOf("http://a.test/"));
      assertEquals(MINUTE, failure.at().elapsed());
      assertInstanceOf(DeadlinePassedException.class, failure.getCause());
    });
  }

  @Test
  void deadlineHoldsWhileConnecting() throws Exception {
    world.network.blackHole(new InetSocketAddress(InetAddress.getLoopbackAddress(), 81));
    world.network.run(() -> {
      Request hasty = Request.get("http://a.test:81/").toBuilder()
          .deadline(Duration.ofSeconds(3))
          .build();
      HttpException failure = world.assertFails(
          DeadlineExceededException.class,
          Phase.CONNECT,
          Sent.NO,
          assertThrows(HttpException.class, () -> world.client.send(hasty).close()));
      assertEquals(Duration.ofSeconds(3), failure.at().elapsed());
    });
  }

  @Test
  void deadlineHoldsWhileSending() throws Exception {
    world.letServersStopReading(null);
    world.serve(c -> c.sleep(Duration.ofMinutes(2)));
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of(new byte[1_000_000]));
      HttpException failure =
          assertThrows(HttpException.class, () -> world.client.send(request).close());
      assertInstanceOf(DeadlineExceededException.class, failure);
      assertEquals(Phase.SEND, failure.at().phase());
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(MINUTE, failure.at().elapsed());
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void deadlineHoldsWhileTheRequestsBodyThrowsWhenItIsInterrupted() throws Exception {
    deadlineEndsReading(new Silent(() -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
      return -1;
    }));
  }

  @Test
  void deadlineHoldsWhileTheRequestsBodyMakesNothingOfAnInterrupt() throws Exception {
    deadlineEndsReading(new Silent(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
      return 1;
    }));
  }

  private void deadlineEndsReading(Silent stream) throws Exception {
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of(stream));
      ClientWorld.Running call = world.start(request);
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      DeadlineExceededException failure =
          assertInstanceOf(DeadlineExceededException.class, failed.getCause());
      assertEquals(Phase.SEND, failure.at().phase());
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(MINUTE, failure.at().elapsed());
      assertFalse(call.interrupted().get(), "the deadline's interrupt was left behind");
      assertTrue(stream.closed);
      assertEquals(0, world.pool().open());
    });
  }

  /** Has nothing to say until its reader is interrupted. */
  private static final class Silent extends InputStream {
    private final Body.IOSupplier<Integer> reading;
    volatile boolean closed;

    Silent(Body.IOSupplier<Integer> reading) {
      this.reading = reading;
    }

    @Override
    public int read() throws IOException {
      return reading.get();
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return reading.get();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void oneDeadlineGoesThroughAllPhases() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    replaceWorld(new ClientWorld(
        SimNetwork.builder().latency(Duration.ofSeconds(1), Duration.ofSeconds(1)),
        Timeouts.builder().call(MINUTE).build(),
        PoolLimits.builder().maxPerRoute(1).build(),
        (host, deadline) -> {
          network.get().sleep(Duration.ofSeconds(20));
          return List.of(InetAddress.getLoopbackAddress());
        }));
    network.set(world.network);
    HttpException failure = world.assertFails(
        DeadlineExceededException.class, Phase.READ_BODY, Sent.YES, world.failureOf(c -> {
          c.sleep(Duration.ofSeconds(20));
          c.send(OK + "Content-Length: 6\r\n\r\n");
          c.sleep(Duration.ofSeconds(16));
          c.send("Hell");
          c.hasMore();
        }));
    assertEquals(MINUTE, failure.at().elapsed());
    // Two one-way trips to connect, one for the request and one for what was read of the response.
    assertEquals(
        Map.of(
            Phase.RESOLVE, Duration.ofSeconds(20),
            Phase.CONNECT, Duration.ofSeconds(2),
            Phase.AWAIT_HEAD, Duration.ofSeconds(22),
            Phase.READ_BODY, Duration.ofSeconds(16)),
        failure.at().spent());
    ClientWorld.assertSays(
        failure, "(RESOLVE 20000 ms, CONNECT 2000 ms, AWAIT_HEAD 22000 ms, READ_BODY 16000 ms)");
  }

  @Test
  void timesLongerThanTheClockCanCountAreForEver() throws Exception {
    Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
    replaceWorld(new ClientWorld(
        SimNetwork.builder(),
        new Timeouts(ever, ever, ever, ever, ever, ever, ever, ever, ever),
        PoolLimits.DEFAULTS));
    world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), connection -> {
      connection.patience(Duration.ofDays(20_000));
      connection.expectHead();
      connection.sleep(Duration.ofDays(10_000));
      connection.send(SIX);
    });
  }
}
