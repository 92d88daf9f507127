package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the steps of a call send, it is one call: its deadline, its account, its end. */
@Timeout(60)
class OneCallTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  /** Proceeds, and once more to another path, whatever came. */
  private static final Interceptor TWICE = (request, chain) -> {
    try {
      chain.proceed(request).close();
    } catch (HttpException e) {
      assertInstanceOf(HttpException.class, e);
    }
    return chain.proceed(second(request));
  };

  private final List<String> diary = new CopyOnWriteArrayList<>();
  private final List<CallSummary> summaries = new CopyOnWriteArrayList<>();

  private static Request second(Request request) throws IOException {
    return request.toBuilder().resolve("/second").build();
  }

  private final ExchangeListener listener = new ExchangeListener() {
    @Override
    public void callStarted(CallInfo call) {
      diary.add("start " + call.request().path());
    }

    @Override
    public void attemptStarted(AttemptInfo attempt) {
      diary.add("attempt " + attempt.number() + " " + attempt.request().path());
    }

    @Override
    public void attemptEnded(
        AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
      diary.add("ended " + attempt.number() + (failure == null ? "" : " in vain"));
    }

    @Override
    public void followed(AttemptInfo ended, Request next) {
      diary.add("after " + ended.number() + " " + next.path());
    }

    @Override
    public void callEnded(CallSummary summary) {
      diary.add("over");
      summaries.add(summary);
    }
  };

  private ClientWorld world(Interceptor step, Duration deadline) {
    return new ClientWorld(client -> client
        .listener(listener)
        .interceptor(step)
        .timeouts(Timeouts.builder().call(deadline).build()));
  }

  private ClientWorld world(Interceptor step) {
    return world(step, Duration.ofSeconds(20));
  }

  @Test
  void thoseWhoLookOnSeeOneCallWithAnAttemptForEachRequest() throws Exception {
    try (ClientWorld world = world(TWICE)) {
      world.serve(c -> {
        c.expectHead();
        c.send(OK);
        c.expectHead();
        c.send(OK);
      });
      world.visit(peer -> {
        Response response = world.get(peer);
        assertEquals(
            List.of(
                "start /",
                "attempt 1 /",
                "ended 1",
                "after 1 /second",
                "attempt 2 /second",
                "ended 2"),
            diary.subList(0, 6));
        assertEquals("Hello!", response.string());
        assertEquals("over", diary.getLast());
        assertEquals(7, diary.size());
      });
      CallSummary summary = summaries.getFirst();
      assertEquals(2, summary.attempts());
      assertEquals("/", summary.call().request().path());
      assertEquals(Status.OK, summary.status());
      assertNull(summary.failure());
    }
  }

  @Test
  void callThatSendsNothingEndsToo() throws Exception {
    try (ClientWorld world = world((request, chain) -> Response.ok("made up"))) {
      world.network.run(() -> {
        assertEquals(
            "made up", world.client.send(Request.get("http://a.test:81/")).string());
        assertEquals(List.of("start /", "over"), diary);
        assertEquals(0, summaries.getFirst().attempts());
        assertEquals(Sent.NO, summaries.getFirst().sent());
      });
    }
  }

  @Test
  void aCallWhoseStepAnswersInPlaceOfAFailureEndsOnceAndWell() throws Exception {
    Interceptor fallback = (request, chain) -> {
      assertThrows(HttpException.class, () -> chain.proceed(request));
      return Response.ok("made up");
    };
    try (ClientWorld world = world(fallback)) {
      world.network.run(() -> {
        assertEquals(
            "made up", world.client.send(Request.get("http://localhost:1/")).string());
        assertEquals(List.of("start /", "attempt 1 /", "ended 1 in vain", "over"), diary);
        assertNull(summaries.getFirst().failure());
      });
    }
  }

  @Test
  void aCallWhoseStepAnswersInPlaceOfABodyThatBreaksOffEndsWellToo() throws Exception {
    Interceptor fallback = (request, chain) -> {
      Response broken = chain.proceed(request);
      assertThrows(HttpException.class, broken::bytes);
      return Response.ok("made up");
    };
    try (ClientWorld world = world(fallback)) {
      world.serve(c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHel");
        c.sleep(Duration.ofSeconds(1));
        c.close();
      });
      world.visit(peer -> {
        assertEquals("made up", world.get(peer).string());
        assertEquals("over", diary.getLast());
        assertEquals(1, summaries.size());
        assertNull(summaries.getFirst().failure());
      });
    }
  }

  @Test
  void oneDeadlineHoldsForAllThatTheStepsSend() throws Exception {
    try (ClientWorld world = world(TWICE)) {
      world.serve(c -> {
        c.expectHead();
        c.sleep(Duration.ofSeconds(12));
        c.send(OK);
        ClientWorld.waitForTheEnd(c);
      });
      world.visit(peer -> {
        HttpException failure = world.failureOf(peer.url("/"));
        assertInstanceOf(DeadlineExceededException.class, failure);
        assertEquals(Duration.ofSeconds(20), failure.at().elapsed());
        assertEquals(
            20, failure.at().spent().get(Phase.AWAIT_HEAD).toSeconds(), failure.toString());
      });
    }
  }

  @Test
  void aStepMayGiveItsRequestLessTimeButNotMore() throws Exception {
    Interceptor patient = (request, chain) ->
        chain.proceed(request.toBuilder().deadline(Duration.ofSeconds(45)).build());
    Interceptor hasty = (request, chain) ->
        chain.proceed(request.toBuilder().deadline(Duration.ofSeconds(3)).build());
    assertEquals(Duration.ofSeconds(20), timeUntilFailure(patient));
    assertEquals(Duration.ofSeconds(3), timeUntilFailure(hasty));
  }

  private Duration timeUntilFailure(Interceptor step) throws Exception {
    AtomicReference<Duration> elapsed = new AtomicReference<>();
    try (ClientWorld world = world(step)) {
      world.visitMany(
          peer -> elapsed.set(world.failureOf(peer.url("/")).at().elapsed()),
          ClientWorld::waitForTheEnd);
    }
    return elapsed.get();
  }

  @Test
  void whatStepsCallIsHeldToTheDeadlineOfTheirCall() throws Exception {
    AtomicReference<HttpClient> other = new AtomicReference<>();
    Interceptor asking = (request, chain) -> request.path().equals("/token")
        ? chain.proceed(request)
        : other.get().send(Request.get(request.origin() + "/token"));
    try (ClientWorld world = world(asking, Duration.ofSeconds(7))) {
      other.set(world.client);
      world.visitMany(
          peer -> {
            Request short4 =
                Request.builder(peer.url("/")).deadline(Duration.ofSeconds(4)).build();
            assertThrows(DeadlineExceededException.class, () -> world.client.send(short4));
            assertEquals(4, world.now().toSeconds());
          },
          ClientWorld::waitForTheEnd);
    }
  }

  @Test
  void aFailureSaysThatSomethingWasSentWhenItsOwnRequestWasNot() throws Exception {
    Interceptor thenNowhere = (request, chain) -> {
      chain.proceed(request).close();
      return chain.proceed(request.toBuilder().url("http://localhost:1/gone").build());
    };
    try (ClientWorld world = world(thenNowhere)) {
      world.serve(c -> {
        c.expectHead();
        c.send(OK);
        c.hasMore();
      });
      world.visit(peer -> {
        HttpException failure = world.failureOf(peer.url("/"));
        assertEquals(Sent.YES, failure.at().sent());
        assertEquals("http://localhost:1", failure.at().origin().toString());
        assertEquals(Phase.CONNECT, failure.at().phase());
        assertEquals(Sent.YES, summaries.getFirst().sent());
      });
    }
  }

  @Test
  void timeThatAStepTakesIsNoTimeInTheQueue() throws Exception {
    AtomicReference<ClientWorld> where = new AtomicReference<>();
    Interceptor slow = (request, chain) -> {
      where.get().network.sleep(Duration.ofSeconds(5));
      return chain.proceed(request);
    };
    try (ClientWorld world = world(slow)) {
      where.set(world);
      world.visit(peer -> world.get(peer).close(), c -> {
        c.expectHead();
        c.send(OK);
      });
      CallSummary summary = summaries.getFirst();
      assertTrue(summary.elapsed().toSeconds() >= 5, summary.toString());
      Duration queued = summary.spent().getOrDefault(Phase.QUEUE, Duration.ZERO);
      assertTrue(queued.toSeconds() < 1, summary.toString());
    }
  }

  @Test
  void cancellingReachesWhateverTheStepsSend() throws Exception {
    try (ClientWorld world = world(TWICE)) {
      world.serve(c -> {
        c.expectHead();
        c.send(OK);
        ClientWorld.waitForTheEnd(c);
      });
      world.visit(peer -> {
        CompletableFuture<Response> call = world.client.sendAsync(Request.get(peer.url("/")));
        world.until(() -> diary.contains("attempt 2 /second"));
        world.network.sleep(Duration.ofMillis(10));
        call.cancel(false);
        world.assertNothingIsOpen();
        world.until(() -> diary.contains("over"));
      });
    }
  }

  @Test
  void aClientThatIsClosedSendsNothingMoreForItsSteps() throws Exception {
    AtomicReference<ClientWorld> where = new AtomicReference<>();
    Interceptor closing = (request, chain) -> {
      chain.proceed(request).close();
      where.get().client.close();
      return chain.proceed(request);
    };
    try (ClientWorld world = world(closing)) {
      where.set(world);
      ScriptedPeer.Script one = c -> {
        c.expectHead();
        c.send(OK);
        c.hasMore();
      };
      world.visit(peer -> assertThrows(ClientClosedException.class, () -> world.get(peer)), one);
    }
  }
}
