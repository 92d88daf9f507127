package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.UnresolvedHostException;
import heddle.testkit.SimNetwork;
import heddle.transport.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupting, cancelling and closing: prompt in every phase, and nothing is left behind. */
@Timeout(60)
class AbortTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private void replaceWorld(ClientWorld other) {
    world.close();
    world = other;
  }

  /** Interrupts a call at its first rest and asserts what every interrupt brings about. */
  private void assertInterruptible(ClientWorld.Running call, int openAfter) throws Exception {
    world.network.sleep(Duration.ofMillis(500));
    assertFalse(call.outcome().isDone());
    Duration before = world.now();
    call.thread().interrupt();
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.outcome().get());
    assertEquals(InterruptedIOException.class, failure.getCause().getClass(), failure.toString());
    assertTrue(call.interrupted().get(), "the thread's flag is not set");
    assertEquals(before, world.now());
    assertEquals(openAfter, world.pool().open());
    assertEquals(0, world.pending());
  }

  @Test
  void interruptInTheQueueLeavesIt() throws Exception {
    replaceWorld(new ClientWorld(PoolLimits.builder().maxPerRoute(1).build()));
    world.serve(ClientWorld::withholdContent);
    world.visit(peer -> {
      Response holds = world.get(peer);
      assertInterruptible(world.start(Request.get(peer.url("/"))), 1);
      holds.close();
    });
  }

  @Test
  void interruptWhileTheHostIsLookedUpGivesThePlaceBack() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    replaceWorld(new ClientWorld(
        SimNetwork.builder(), Timeouts.DEFAULTS, PoolLimits.DEFAULTS, (host, deadline) -> {
          Waiting.until(() -> false, network.get().loop(), deadline, "looking up");
          return List.of();
        }));
    network.set(world.network);
    world.network.run(() -> assertInterruptible(world.start(Request.get("http://a.test/")), 0));
  }

  @Test
  void interruptWhileConnectingGivesThePlaceBack() throws Exception {
    world.network.blackHole(new InetSocketAddress(InetAddress.getLoopbackAddress(), 81));
    world.network.run(() -> assertInterruptible(world.start(Request.get("http://a.test:81/")), 0));
  }

  @Test
  void interruptWhileSendingClosesTheConnection() throws Exception {
    world.letServersStopReading(null);
    world.serve(c -> c.sleep(Duration.ofSeconds(5)));
    world.visit(peer -> {
      Body body = Body.of(new byte[1_000_000]);
      assertInterruptible(world.start(Request.post(peer.url("/"), body)), 0);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void interruptWhileAPublisherIsWaitedForClosesTheConnection() throws Exception {
    AtomicBoolean cancelled = new AtomicBoolean();
    Flow.Publisher<ByteBuffer> silent =
        subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
          @Override
          public void request(long count) {}

          @Override
          public void cancel() {
            cancelled.set(true);
          }
        });
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of(silent, Body.UNKNOWN));
      assertInterruptible(world.start(request), 0);
      world.assertNothingIsOpen();
      assertTrue(cancelled.get());
    });
  }

  @Test
  void interruptWhileTheHeadIsAwaitedClosesTheConnection() throws Exception {
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      assertInterruptible(world.start(Request.get(peer.url("/"))), 0);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void interruptWhileTheBodyIsReadClosesTheConnection() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\nHe");
      c.hasMore();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      CompletableFuture<Response> outcome = new CompletableFuture<>();
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread reader = world.network.threadFactory().newThread(() -> {
        try {
          response.bytes();
          outcome.complete(response);
        } catch (IOException e) {
          outcome.completeExceptionally(e);
        }
        flag.complete(Thread.interrupted());
      });
      reader.start();
      assertInterruptible(new ClientWorld.Running(reader, outcome, flag), 0);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void threadThatIsInterruptedAlreadyDoesNotWaitForAConnection() throws Exception {
    Duration distance = Duration.ofMillis(10);
    replaceWorld(new ClientWorld(SimNetwork.builder().latency(distance, distance)));
    world.serve(c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, () -> world.get(peer).close());
      assertTrue(Thread.interrupted());
      assertEquals(0, world.inUse());
      assertEquals("Hello!", world.get(peer).string());
    });
  }

  // ---- sendAsync

  @Test
  void futureCompletesWithTheResponse() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      CompletableFuture<Response> future = world.client.sendAsync(Request.get(peer.url("/")));
      assertEquals("Hello!", future.get().string());
      assertFalse(future.cancel(true));
    });
  }

  @Test
  void futureFailsAsTheCallDoes() throws Exception {
    world.network.run(() -> {
      CompletableFuture<Response> future = world.client.sendAsync(Request.get("http://a.test:81/"));
      ExecutionException failure = assertThrows(ExecutionException.class, future::get);
      assertInstanceOf(HttpException.class, failure.getCause());
      assertFalse(failure.getCause() instanceof UnresolvedHostException);
    });
  }

  @Test
  void completingTheFutureOtherwiseAbortsTheCall() throws Exception {
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      CompletableFuture<Response> late = world.client.sendAsync(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1)); // the request is sent by then
      assertTrue(late.completeExceptionally(new TimeoutException())); // as orTimeout does
      world.until(() -> world.pool().open() == 0);
      assertTrue(world.now().toSeconds() < 2, "aborted after " + world.now());
      world.assertNothingIsOpen();
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancellingTheFutureAbortsTheCall(boolean mayInterrupt) throws Exception {
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      CompletableFuture<Response> future = world.client.sendAsync(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      assertEquals(1, world.inUse());
      assertTrue(future.cancel(mayInterrupt));
      assertThrows(CancellationException.class, future::get);
      world.until(() -> world.pool().open() == 0);
      assertTrue(world.now().toSeconds() < 2, "aborted after " + world.now());
      world.assertNothingIsOpen();
    });
  }

  @Test
  void cancellingTheFutureLeavesTheQueue() throws Exception {
    replaceWorld(new ClientWorld(PoolLimits.builder().maxPerRoute(1).build()));
    world.serve(ClientWorld::withholdContent);
    world.visit(peer -> {
      Response holds = world.get(peer);
      CompletableFuture<Response> future = world.client.sendAsync(Request.get(peer.url("/")));
      world.until(() -> world.pending() == 1);
      future.cancel(false);
      world.until(() -> world.pending() == 0);
      assertTrue(world.now().toSeconds() < 2, "left after " + world.now());
      holds.close();
    });
  }

  @Test
  void cancellingADependentStageDoesNotAbortTheCall() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.sleep(Duration.ofSeconds(1));
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      CompletableFuture<Response> future = world.client.sendAsync(Request.get(peer.url("/")));
      CompletableFuture<Integer> code = future.thenApply(r -> r.status().code());
      assertTrue(code.cancel(true));
      assertEquals("Hello!", future.get().string());
    });
  }
}
