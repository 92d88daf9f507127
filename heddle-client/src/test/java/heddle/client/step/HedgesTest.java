package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.ClientWorld.Running;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.spi.Interceptor.Hedges;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TooManyRedirectsException;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A step that sends a request again while it waits for the response. In virtual time. */
@Timeout(60)
class HedgesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final MockResponse NEVER = MockResponse.fault(MockFault.blackHole());
  private static final Hedges ONE = hedges(1);
  private static final byte[] LARGE = new byte[1_000_000];

  private static Hedges hedges(int most) {
    return new Hedges(SECOND, most, response -> response.status().code() < 500);
  }

  private static Interceptor hedging(Hedges hedges) {
    return (request, chain) -> chain.proceed(request, hedges);
  }

  private interface Visit {
    void to(ClientWorld world, MockServer server) throws Exception;
  }

  /** A client that hedges, and a server that gives these answers, one after the other. */
  private static void visit(
      UnaryOperator<HttpClient.Builder> settings, Visit visit, MockResponse... answers)
      throws Exception {
    try (ClientWorld world = new ClientWorld(settings)) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder().network(world.network).start()) {
          List.of(answers).forEach(server::enqueue);
          visit.to(world, server);
          world.client.close();
        }
      });
    }
  }

  /** A listener that keeps the connection of the latest attempt. */
  private static final class Connections implements ExchangeListener {
    private volatile @Nullable ConnectionInfo latest;

    @Override
    public void acquired(AttemptInfo attempt, ConnectionInfo on, boolean reused, Duration took) {
      latest = on;
    }
  }

  @Test
  void aRequestAfterAHedgeIsNamedWithItsOwnConnection() throws Exception {
    Connections acquired = new Connections();
    Interceptor twice = (request, chain) -> {
      chain.proceed(request, ONE).close();
      return chain.proceed(request);
    };
    visit(
        client -> client.interceptor(twice).listener(acquired),
        (world, server) -> {
          HttpCall call = world.client.newCall(Request.get(server.url("/")));
          assertEquals("last", call.execute().string());
          assertEquals(acquired.latest, call.connection());
        },
        NEVER,
        MockResponse.ok("hedge").header("Connection", "close"),
        MockResponse.ok("last"));
  }

  private static Response get(ClientWorld world, MockServer server) throws Exception {
    return world.client.send(Request.get(server.url("/")));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void hedgeThatIsFasterWinsAndTheFirstAttemptIsCancelled(HttpVersion version) throws Exception {
    Connections acquired = new Connections();
    visit(
        client -> client.version(version).interceptor(hedging(ONE)).listener(acquired),
        (world, server) -> {
          Duration start = world.now();
          HttpCall call = world.client.newCall(Request.get(server.url("/")));
          Response response = call.execute();
          assertEquals(SECOND, world.now().minus(start));
          assertEquals("hedge", response.string());
          assertEquals(2, server.requests().size());
          assertEquals(acquired.latest, call.connection());
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        MockResponse.ok("hedge"));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void firstAttemptThatIsFasterWinsAndTheHedgeIsCancelled(HttpVersion version) throws Exception {
    visit(
        client -> client.version(version).interceptor(hedging(ONE)),
        (world, server) -> {
          assertEquals("first", get(world, server).string());
          assertEquals(2, server.requests().size());
          world.until(() -> world.inUse() == 0);
        },
        MockResponse.ok("first").after(Duration.ofMillis(1_500)),
        NEVER);
  }

  @Test
  void responseInTimeIsNotHedged() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)),
        (world, server) -> {
          assertEquals("first", get(world, server).string());
          assertEquals(1, server.requests().size());
        },
        MockResponse.ok("first").after(Duration.ofMillis(999)));
  }

  @Test
  void hedgesAreSentOneAfterTheOtherUpToTheirNumber() throws Exception {
    visit(
        client -> client.interceptor(hedging(hedges(2))),
        (world, server) -> {
          Duration start = world.now();
          assertEquals("first", get(world, server).string());
          assertEquals(Duration.ofSeconds(10), world.now().minus(start));
          assertEquals(3, server.requests().size());
          world.until(() -> world.inUse() == 0);
        },
        MockResponse.ok("first").after(Duration.ofSeconds(10)),
        NEVER,
        NEVER);
  }

  @Test
  void hedgesCountAgainstTheRetryBudget() throws Exception {
    visit(
        client -> client.interceptor(hedging(hedges(5))).retryBudget(new RetryBudget(0, 0)),
        (world, server) -> {
          assertEquals("first", get(world, server).string());
          assertEquals(1, server.requests().size());
        },
        MockResponse.ok("first").after(Duration.ofSeconds(10)));
  }

  @Test
  void contentThatCanBeSentOnceIsNotHedged() throws Exception {
    Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
    visit(
        client -> client.interceptor(hedging(ONE)).listener(seen),
        (world, server) -> {
          Body once = Body.of(new ByteArrayInputStream(new byte[3]));
          assertEquals(
              "first", world.client.send(Request.post(server.url("/"), once)).string());
          assertEquals(1, seen.started().size());
        },
        MockResponse.ok("first").after(Duration.ofSeconds(10)));
  }

  @Test
  void unusableResponseIsReturnedAtOnceIfThereIsNoHedge() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)),
        (world, server) -> {
          Response busy = get(world, server);
          assertEquals(503, busy.status().code());
          assertEquals("busy", busy.string());
          assertEquals(1, server.requests().size());
        },
        MockResponse.of(503).body("busy"));
  }

  @Test
  void unusableResponseWaitsForTheHedgeThatIsUnderWayAndForNoOther() throws Exception {
    visit(
        client -> client.interceptor(hedging(hedges(2))),
        (world, server) -> {
          assertEquals("hedge", get(world, server).string());
          assertEquals(2, server.requests().size());
          world.until(() -> world.inUse() == 0);
        },
        MockResponse.of(503).body(LARGE).after(Duration.ofMillis(1_500)),
        MockResponse.ok("hedge").after(Duration.ofSeconds(5)));
  }

  @Test
  void ifNoAttemptIsUsableTheResultIsThatOfTheFirst() throws Exception {
    visit(
        client -> client.interceptor(hedging(hedges(2))).retries(RetryPolicy.never()),
        (world, server) -> {
          assertEquals("busy", get(world, server).string());
          assertEquals(0, world.inUse());
          ConnectionLostException lost =
              assertThrows(ConnectionLostException.class, () -> get(world, server));
          assertEquals(1, lost.getSuppressed().length);
        },
        MockResponse.of(503).body("busy").after(Duration.ofSeconds(3)),
        MockResponse.of(500).body(LARGE),
        MockResponse.of(500),
        MockResponse.fault(MockFault.cutInHead(5)).after(Duration.ofSeconds(3)),
        MockResponse.of(500),
        MockResponse.fault(MockFault.cutInHead(5)));
  }

  @Test
  void callAndHedgesEndByTheDeadlineOfTheCall() throws Exception {
    visit(
        client -> client
            .interceptor(hedging(ONE))
            .timeouts(Timeouts.builder().call(Duration.ofSeconds(3)).build()),
        (world, server) -> {
          Duration start = world.now();
          assertThrows(DeadlineExceededException.class, () -> get(world, server));
          assertEquals(Duration.ofSeconds(3), world.now().minus(start));
          assertEquals(2, server.requests().size());
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        NEVER);
  }

  @Test
  void hedgeHasItsResponseByTheTimeOfTheFirstAttempt() throws Exception {
    visit(
        client -> client
            .interceptor(hedging(ONE))
            .timeouts(Timeouts.builder().silence(Duration.ofHours(1)).build()),
        (world, server) -> {
          Duration start = world.now();
          assertThrows(DeadlineExceededException.class, () -> get(world, server));
          assertEquals(Duration.ofSeconds(60), world.now().minus(start));
          assertEquals(2, server.requests().size());
        },
        NEVER,
        NEVER);
  }

  @Test
  void lessTimeThatAStepGivesItsRequestIsThatOfTheHedgesToo() throws Exception {
    Interceptor hasty = (request, chain) ->
        chain.proceed(request.toBuilder().deadline(SECOND.multipliedBy(3)).build(), ONE);
    visit(
        client -> client.interceptor(hasty),
        (world, server) -> {
          Duration start = world.now();
          assertThrows(DeadlineExceededException.class, () -> get(world, server));
          assertEquals(SECOND.multipliedBy(3), world.now().minus(start));
          assertEquals(2, server.requests().size());
        },
        NEVER,
        NEVER);
  }

  @Test
  void interruptEndsTheCallAndItsHedges() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)),
        (world, server) -> {
          Running running = world.start(Request.get(server.url("/")));
          world.until(() -> server.requests().size() == 2);
          Duration before = world.now();
          running.thread().interrupt();
          world.untilOver(running.outcome());
          assertEquals(before, world.now());
          ExecutionException failure =
              assertThrows(ExecutionException.class, () -> running.outcome().get());
          assertInstanceOf(InterruptedIOException.class, failure.getCause());
          assertTrue(running.interrupted().get(), "the flag is not set");
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        NEVER);
  }

  @Test
  void cancellingTheCallCancelsItsHedges() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)),
        (world, server) -> {
          HttpCall call = world.client.newCall(Request.get(server.url("/")));
          Running running = world.start(call::execute);
          world.until(() -> server.requests().size() == 2);
          Duration before = world.now();
          call.cancel();
          world.untilOver(running.outcome());
          assertEquals(before, world.now());
          ExecutionException failure =
              assertThrows(ExecutionException.class, () -> running.outcome().get());
          assertInstanceOf(CallCancelledException.class, failure.getCause());
          assertFalse(running.interrupted().get(), "the thread stays interrupted");
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        NEVER);
  }

  @Test
  void cancellingTheCallClosesTheResponseOfTheHedge() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)),
        (world, server) -> {
          HttpCall call = world.client.newCall(Request.get(server.url("/")));
          call.execute();
          assertEquals(1, world.inUse());
          call.cancel();
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        MockResponse.ok(LARGE));
  }

  @Test
  void redirectLimitAppliesToEachAttempt() throws Exception {
    visit(
        client -> client.interceptor(hedging(ONE)).redirects(RedirectPolicy.standard()),
        (world, server) -> {
          server.handler(request -> MockResponse.of(302)
              .header("Location", request.target() + "1")
              .after(Duration.ofMillis(300)));
          assertThrows(TooManyRedirectsException.class, () -> get(world, server));
          assertEquals(2 * 11, server.requests().size());
          world.until(() -> world.inUse() == 0);
        });
  }

  /** A call to listeners: the hedge, and the call for which it was made. */
  private record Seen(List<CallInfo> started, List<CallSummary> ended) implements ExchangeListener {
    @Override
    public void callStarted(CallInfo call) {
      started.add(call);
    }

    @Override
    public void callEnded(CallSummary summary) {
      ended.add(summary);
    }
  }

  @Test
  void listenersSeeEachHedgeAsACallThatNamesItsOriginal() throws Exception {
    AtomicReference<Thread> began = new AtomicReference<>();
    Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
    ExchangeListener thread = new ExchangeListener() {
      @Override
      public void callStarted(CallInfo call) {
        began.set(Thread.currentThread());
      }
    };
    visit(
        client -> client.interceptor(hedging(ONE)).listener(seen).listener(thread),
        (world, server) -> {
          get(world, server).close();
          assertEquals(Thread.currentThread(), began.get(), "where thread-locals are");
          world.until(() -> seen.ended().size() == 2);
          CallInfo original = seen.started().getFirst();
          CallInfo hedge = seen.started().getLast();
          assertEquals(0, original.hedgeOf());
          assertEquals(original.id(), hedge.hedgeOf());
          for (CallSummary summary : seen.ended()) {
            assertEquals(Status.OK, summary.status());
            assertNull(summary.failure());
            assertEquals(1, summary.attempts());
          }
        },
        NEVER,
        MockResponse.ok("hedge"));
  }

  @Test
  void stepsAroundAHedgedRequestMayProceedAgain() throws Exception {
    Interceptor twice = (request, chain) -> {
      assertEquals("hedge", chain.proceed(request).string());
      return chain.proceed(request);
    };
    visit(
        client -> client.interceptor(twice).interceptor(hedging(ONE)),
        (world, server) -> {
          assertEquals("again", get(world, server).string());
          assertEquals(3, server.requests().size());
        },
        NEVER,
        MockResponse.ok("hedge"),
        MockResponse.ok("again"));
  }

  @Test
  void responseOfAHedgeIsClosedIfAStepFails() throws Exception {
    Interceptor failing = (request, chain) -> {
      chain.proceed(request);
      throw new IllegalStateException("a bug");
    };
    visit(
        client -> client.interceptor(failing).interceptor(hedging(ONE)),
        (world, server) -> {
          assertThrows(IllegalStateException.class, () -> get(world, server));
          world.until(() -> world.inUse() == 0);
        },
        NEVER,
        MockResponse.ok(LARGE));
  }

  @Test
  void stepsBelowSeeTheDeadlineOfTheCallInEachAttempt() throws Exception {
    ConcurrentLinkedQueue<Duration> left = new ConcurrentLinkedQueue<>();
    Interceptor inner = (request, chain) -> {
      left.add(Duration.ofNanos(chain.deadline().remainingNanos(chain.clock())));
      return chain.proceed(request);
    };
    visit(
        client -> client
            .interceptor(hedging(ONE))
            .interceptor(inner)
            .timeouts(Timeouts.builder().call(Duration.ofSeconds(5)).build()),
        (world, server) -> {
          get(world, server).close();
          assertEquals(List.of(Duration.ofSeconds(5), Duration.ofSeconds(4)), List.copyOf(left));
        },
        NEVER,
        MockResponse.ok("hedge"));
  }

  // ---- waiting

  @Test
  void pauseOfAStepIsPartOfTheCall() throws Exception {
    AtomicReference<CallSummary> ended = new AtomicReference<>();
    Interceptor pausing = (request, chain) -> {
      chain.pause(SECOND);
      return chain.proceed(request);
    };
    visit(
        client -> client.interceptor(pausing).listener(new ExchangeListener() {
          @Override
          public void callEnded(CallSummary summary) {
            ended.set(summary);
          }
        }),
        (world, server) -> {
          get(world, server).close();
          assertEquals(SECOND, ended.get().spent().get(Phase.BACKOFF));
          assertEquals(SECOND, ended.get().elapsed());
        },
        MockResponse.of(204));
  }

  @Test
  void pauseEndsAtTheDeadline() throws Exception {
    visit(
        client -> client
            .interceptor((request, chain) -> {
              chain.pause(Duration.ofDays(1));
              return chain.proceed(request);
            })
            .timeouts(Timeouts.builder().call(SECOND).build()),
        (world, server) -> {
          DeadlineExceededException late =
              assertThrows(DeadlineExceededException.class, () -> get(world, server));
          assertEquals(Phase.BACKOFF, late.at().phase());
          assertEquals(SECOND, late.at().elapsed());
          assertEquals(0, server.requests().size());
        });
  }

  /** Whatever runs when: each seed orders the threads in another way. */
  @Test
  void nothingLeaksWhenAttemptsEndAtTheSameTime() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      int number = seed;
      try (ClientWorld world = new ClientWorld(
          SimNetwork.builder().seed(number), client -> client.interceptor(hedging(hedges(2))))) {
        world.network.run(() -> {
          try (MockServer server = MockServer.builder().network(world.network).start()) {
            server.enqueue(MockResponse.ok(LARGE).after(Duration.ofSeconds(3)));
            server.enqueue(MockResponse.ok(LARGE).after(Duration.ofSeconds(2)));
            server.enqueue(MockResponse.ok(LARGE).after(Duration.ofSeconds(1)));
            assertEquals(LARGE.length, get(world, server).bytes().length);
            world.until(() -> world.inUse() == 0);
            assertEquals(0, world.pool().leaked());
            world.client.close();
          }
        });
      }
    }
  }
}
