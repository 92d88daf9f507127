package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way to end a call early, in each phase of it, over both protocols: prompt, and nothing is
 * left behind.
 */
@Timeout(60)
class AbortEverywhereTest {
  private static final Duration CLOSE = Duration.ofSeconds(5);
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final int BLACK_HOLE = 81;

  /** How a call is ended early. */
  enum Way {
    INTERRUPT,
    CANCEL_INTERRUPTING,
    CANCEL,
    CANCEL_CALL,
    CLOSE_BODY,
    CLOSE_CLIENT,
    DEADLINE
  }

  record Case(Phase phase, HttpVersion version, Way way) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
      for (Phase phase : Phase.values()) {
        for (Way way : Way.values()) {
          boolean reading = phase == Phase.READ_BODY;
          boolean cancels = way == Way.CANCEL || way == Way.CANCEL_INTERRUPTING;
          // A future that is complete cannot be cancelled, and a body has to be there.
          boolean possible = reading ? !cancels : way != Way.CLOSE_BODY;
          // A retry never waits for longer than the call has time.
          if (possible && (phase != Phase.BACKOFF || way != Way.DEADLINE)) {
            cases.add(new Case(phase, version, way));
          }
        }
      }
    }
    return cases;
  }

  private final AtomicReference<@Nullable SimNetwork> network = new AtomicReference<>();

  /** A call under way, however it was made. */
  private record Victim(
      CompletableFuture<?> outcome,
      ClientWorld.@Nullable Running thread,
      @Nullable Response body,
      @Nullable HttpCall call) {}

  @ParameterizedTest
  @MethodSource("cases")
  void endsPromptlyAndLeavesNothing(Case it) throws Exception {
    try (ClientWorld world = world(it)) {
      network.set(world.network);
      world.network.blackHole(new InetSocketAddress(InetAddress.getLoopbackAddress(), BLACK_HOLE));
      if (it.phase() == Phase.SEND) {
        world.network.onConnection(
            c -> c.stallAfterBytes(Direction.TO_SERVER, 100_000, Duration.ofSeconds(20)));
      }
      world.network.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(world.network, script(it))) {
          visit(world, peer, it);
        }
      });
    }
  }

  private void visit(ClientWorld world, ScriptedPeer peer, Case it) throws Exception {
    Response holds = it.phase() == Phase.QUEUE ? world.get(peer) : null;
    Victim victim = begin(world, peer, it);
    world.network.sleep(Duration.ofMillis(500));
    assertEquals(it.phase() == Phase.QUEUE ? 1 : 0, world.pending());
    assertEquals(
        it.phase() == Phase.QUEUE || it.way() != Way.CLOSE_BODY,
        !victim.outcome().isDone());
    Duration before = world.now();
    end(world, victim, it);
    boolean drains = it.way() == Way.CLOSE_CLIENT && it.phase() != Phase.QUEUE;
    world.untilOver(victim.outcome());
    Duration took = world.now().minus(before);
    Duration most =
        drains ? CLOSE : it.way() == Way.DEADLINE ? DEADLINE.dividedBy(2) : Duration.ZERO;
    assertTrue(took.compareTo(most.plusMillis(10)) <= 0, () -> it + " took " + took);
    assertOutcome(victim, it);
    if (holds != null) {
      holds.close();
    }
    boolean shared = it.version() == HttpVersion.HTTP_2 && it.way() != Way.CLOSE_CLIENT;
    world.until(() -> world.inUse() == 0 || shared && exchanges(world) == 0);
    assertEquals(0, world.pending());
    world.client.close();
    world.client.close();
    world.assertNothingIsOpen();
  }

  private static int exchanges(ClientWorld world) {
    return world.pool().routes().stream().mapToInt(route -> route.inFlight()).sum();
  }

  private ClientWorld world(Case it) {
    boolean looksUp = it.phase() == Phase.RESOLVE;
    PoolLimits limits = it.phase() == Phase.QUEUE
        ? PoolLimits.builder()
            .maxPerRoute(1)
            .maxHttp2PerRoute(1)
            .maxStreamsPerConnection(1)
            .build()
        : PoolLimits.DEFAULTS;
    Duration patient = Duration.ofSeconds(40);
    return new ClientWorld(client -> {
      client
          .version(it.version())
          .retries(RetryPolicy.onStatus().build())
          .poolLimits(limits.toBuilder().acquireTimeout(patient).build())
          .timeouts(
              Timeouts.builder().close(CLOSE).connect(patient).tls(patient).build());
      return looksUp ? client.resolver((host, deadline) -> hang(deadline)) : client;
    });
  }

  private List<InetAddress> hang(Deadline deadline) throws IOException {
    SimNetwork world = network.get();
    if (world == null) {
      throw new IllegalStateException("the world is not there yet");
    }
    Waiting.until(() -> false, world.loop(), deadline, "looking up");
    return List.of();
  }

  private static Request request(ScriptedPeer peer, Case it) throws IOException {
    Request request = request(peer, it.phase());
    return it.way() == Way.DEADLINE ? request.toBuilder().deadline(DEADLINE).build() : request;
  }

  private static Request request(ScriptedPeer peer, Phase phase) throws IOException {
    return switch (phase) {
      case CONNECT -> Request.get("http://a.test:" + BLACK_HOLE + "/");
      case TLS -> Request.get(peer.url("/").replace("http:", "https:"));
      case SEND -> Request.post(peer.url("/"), Body.of(new byte[1_000_000]));
      case QUEUE, RESOLVE, AWAIT_HEAD, READ_BODY, BACKOFF -> Request.get(peer.url("/"));
    };
  }

  private static ScriptedPeer.Script script(Case it) {
    boolean answers = it.phase() == Phase.READ_BODY || it.phase() == Phase.QUEUE;
    if (it.phase() == Phase.TLS) {
      return c -> {
        c.drain();
      };
    }
    if (it.version() == HttpVersion.HTTP_2) {
      return Http2Peer.server(h2 -> {
        h2.handshake();
        int stream = h2.expectHeaders().streamId();
        if (it.phase() == Phase.BACKOFF) {
          h2.sendHeaders(stream, true, ":status: 503", "retry-after: 25");
        }
        if (answers) {
          h2.sendHeaders(stream, false, ":status: 200");
          h2.sendData(stream, false, "part");
        }
        boolean resets = it.phase() != Phase.SEND && it.phase() != Phase.BACKOFF;
        if (it.way() != Way.CLOSE_CLIENT && resets) {
          h2.expectRst(stream, ErrorCode.CANCEL);
        }
        h2.connection().drain();
      });
    }
    return c -> {
      c.expectHead();
      if (answers) {
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npart");
      }
      if (it.phase() == Phase.BACKOFF) {
        c.send("HTTP/1.1 503 Busy\r\nRetry-After: 25\r\nContent-Length: 0\r\n\r\n");
      }
      c.drain();
    };
  }

  private static Victim begin(ClientWorld world, ScriptedPeer peer, Case it) throws Exception {
    Request request = request(peer, it);
    HttpCall call = world.client.newCall(request);
    if (it.phase() == Phase.READ_BODY) {
      return read(world, call.execute(), call, it);
    }
    return switch (it.way()) {
      case CANCEL, CANCEL_INTERRUPTING -> new Victim(call.executeAsync(), null, null, null);
      case CANCEL_CALL -> {
        ClientWorld.Running running = world.start(call::execute);
        yield new Victim(running.outcome(), running, null, call);
      }
      case INTERRUPT, CLOSE_BODY, CLOSE_CLIENT, DEADLINE -> {
        ClientWorld.Running running = world.start(request);
        yield new Victim(running.outcome(), running, null, null);
      }
    };
  }

  /** Reads a response on another thread. */
  private static Victim read(ClientWorld world, Response response, HttpCall call, Case it) {
    CompletableFuture<Response> outcome = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread reader = world.network.threadFactory().newThread(() -> {
      try {
        if (it.way() != Way.CLOSE_BODY) {
          response.bytes();
        }
        outcome.complete(response);
      } catch (IOException e) {
        outcome.completeExceptionally(e);
      }
      flag.complete(Thread.interrupted());
    });
    reader.start();
    return new Victim(outcome, new ClientWorld.Running(reader, outcome, flag), response, call);
  }

  private static void end(ClientWorld world, Victim victim, Case it) throws IOException {
    switch (it.way()) {
      case INTERRUPT -> threadOf(victim).thread().interrupt();
      case CANCEL_INTERRUPTING -> assertTrue(victim.outcome().cancel(true));
      case CANCEL -> assertTrue(victim.outcome().cancel(false));
      case CANCEL_CALL -> {
        HttpCall call = victim.call();
        if (call != null) {
          call.cancel();
        }
      }
      case CLOSE_BODY -> {
        Response body = victim.body();
        if (body != null) {
          body.close();
        }
      }
      case CLOSE_CLIENT -> world.network.executor().execute(world.client::close);
      case DEADLINE -> {}
    }
  }

  private static ClientWorld.Running threadOf(Victim victim) {
    ClientWorld.Running running = victim.thread();
    if (running == null) {
      throw new IllegalStateException("the call has no thread of the test's");
    }
    return running;
  }

  private static void assertOutcome(Victim victim, Case it) throws Exception {
    switch (it.way()) {
      case INTERRUPT -> {
        assertEquals(
            InterruptedIOException.class, victim.outcome().exceptionNow().getClass());
        assertTrue(threadOf(victim).interrupted().get(), "the flag is not set");
      }
      case CANCEL, CANCEL_INTERRUPTING -> assertTrue(victim.outcome().isCancelled());
      case CANCEL_CALL -> {
        CallCancelledException failure =
            assertInstanceOf(CallCancelledException.class, victim.outcome().exceptionNow());
        assertEquals(it.phase(), failure.at().phase());
        assertEquals(false, threadOf(victim).interrupted().get(), "an interrupt is left behind");
      }
      case CLOSE_BODY -> {
        Response body = victim.body();
        if (body != null) {
          assertThrows(IOException.class, () -> body.bytes());
        }
      }
      case CLOSE_CLIENT -> {
        assertInstanceOf(ClientClosedException.class, victim.outcome().exceptionNow());
        assertEquals(false, threadOf(victim).interrupted().get(), "an interrupt is left behind");
      }
      case DEADLINE ->
        assertAccount(
            it,
            assertInstanceOf(DeadlineExceededException.class, victim.outcome().exceptionNow()));
    }
  }

  /** The exception says where the time went: it lists each phase, and leaves nothing out. */
  private static void assertAccount(Case it, DeadlineExceededException failure) {
    assertEquals(it.phase(), failure.at().phase(), () -> it + ": " + failure);
    assertEquals(DEADLINE, failure.at().elapsed());
    Duration sum = failure.at().spent().values().stream().reduce(Duration.ZERO, Duration::plus);
    assertEquals(DEADLINE, sum, failure.toString());
  }
}
