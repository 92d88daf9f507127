package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld.Running;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent calls, and the cancellation of those that are no longer needed. In virtual time. */
@Timeout(60)
class HttpCallsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final MockResponse NEVER = MockResponse.fault(MockFault.blackHole());
  private static final MockResponse LOST = MockResponse.fault(MockFault.cutInHead(5));

  /** More than arrives with the head. */
  private static final byte[] LARGE = new byte[1_000_000];

  @AutoClose
  private final ClientWorld world = new ClientWorld();

  private interface Visit {
    void to(MockServer server) throws Exception;
  }

  private static void visit(ClientWorld world, Visit visit) throws Exception {
    world.network.run(() -> {
      try (MockServer server = MockServer.builder().network(world.network).start()) {
        visit.to(server);
        world.client.close();
      }
    });
  }

  private void visit(Visit visit) throws Exception {
    visit(world, visit);
  }

  private HttpCall call(MockServer server, String path, MockResponse answer) throws IOException {
    return call(world, server, path, answer);
  }

  private static HttpCall call(
      ClientWorld world, MockServer server, String path, MockResponse answer) throws IOException {
    server.answer(path, answer);
    return world.client.newCall(Request.get(server.url(path)));
  }

  private static List<String> asked(MockServer server) {
    return server.requests().stream().map(RecordedRequest::target).sorted().toList();
  }

  private void assertNothingIsInUse() throws IOException {
    world.until(() -> world.inUse() == 0);
  }

  @Test
  void allReturnsTheResponsesInTheOrderOfTheCalls() throws Exception {
    visit(server -> {
      Duration start = world.now();
      List<Response> responses = HttpCalls.all(
          call(server, "/a", MockResponse.ok("a").after(SECOND.multipliedBy(3))),
          call(server, "/b", MockResponse.of(500).body("b").after(SECOND)),
          call(server, "/c", MockResponse.ok("c").after(SECOND.multipliedBy(2))));
      assertEquals(SECOND.multipliedBy(3), world.now().minus(start));
      String contents = "";
      for (Response response : responses) {
        contents += response.string();
      }
      assertEquals("abc", contents);
      assertEquals(0, world.inUse());
      assertEquals(List.of(), HttpCalls.all());
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void firstFailureOfAllCancelsTheOthers(HttpVersion version) throws Exception {
    try (ClientWorld both = new ClientWorld(client -> client.version(version))) {
      visit(both, server -> {
        HttpCall answered = call(both, server, "/a", MockResponse.ok(LARGE));
        HttpCall late = call(both, server, "/b", NEVER);
        Request hasty = Request.builder(server.url("/b")).deadline(SECOND).build();
        HttpCall fails = both.client.newCall(hasty);
        assertThrows(DeadlineExceededException.class, () -> HttpCalls.all(answered, late, fails));
        assertEquals(HttpCall.State.CANCELLED, late.state());
        both.until(() -> both.inUse() == 0);
      });
    }
  }

  @Test
  void statusThatIsNoSuccessFailsAllSuccess() throws Exception {
    visit(server -> {
      List<Response> two = HttpCalls.allSuccess(
          call(server, "/a", MockResponse.ok("a").after(SECOND)),
          call(server, "/b", MockResponse.of(204)));
      assertEquals("a", two.getFirst().string());
      assertEquals(204, two.getLast().status().code());
      HttpCall late = call(server, "/late", NEVER);
      HttpCall refused = call(server, "/c", MockResponse.of(503).body("full"));
      StatusException failure =
          assertThrows(StatusException.class, () -> HttpCalls.allSuccess(late, refused));
      assertEquals("full", failure.excerpt());
      assertEquals(HttpCall.State.CANCELLED, late.state());
      assertEquals(List.of(), HttpCalls.allSuccess());
      assertNothingIsInUse();
    });
  }

  @Test
  void interruptCancelsAllCalls() throws Exception {
    visit(server -> {
      List<HttpCall> calls =
          List.of(call(server, "/a", NEVER), call(server, "/b", MockResponse.ok(LARGE)));
      Running running = world.start(() -> HttpCalls.all(calls).getFirst());
      world.until(() -> calls.getLast().state() == HttpCall.State.ANSWERED);
      running.thread().interrupt();
      world.untilOver(running.outcome());
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> running.outcome().get());
      assertInstanceOf(InterruptedIOException.class, failure.getCause());
      assertTrue(running.interrupted().get(), "the flag is not set");
      assertNothingIsInUse();
    });
  }

  @Test
  void callsInheritTheDeadlineOfTheirCaller() throws Exception {
    visit(server -> {
      HttpCall one = call(server, "/a", NEVER);
      HttpCall other = call(server, "/b", NEVER);
      Duration start = world.now();
      assertThrows(
          DeadlineExceededException.class,
          () -> Deadlines.within(SECOND, world.network.clock(), () -> HttpCalls.all(one, other)));
      assertEquals(SECOND, world.now().minus(start));
      assertNothingIsInUse();
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void firstSuccessCancelsTheOthersAndClosesTheirResponses(HttpVersion version) throws Exception {
    try (ClientWorld both = new ClientWorld(client -> client.version(version))) {
      visit(both, server -> {
        Response first = HttpCalls.firstSuccess(
            call(both, server, "/a", NEVER),
            call(both, server, "/b", MockResponse.of(503).body("busy")),
            call(both, server, "/c", MockResponse.ok("c").after(SECOND)),
            call(both, server, "/d", MockResponse.ok(LARGE).after(SECOND.multipliedBy(2))));
        assertEquals("c", first.string());
        both.until(() -> both.inUse() == 0);
        assertEquals(List.of("/a", "/b", "/c", "/d"), asked(server));
      });
    }
  }

  @Test
  void ifNoCallSucceedsTheFailureOfEachIsSuppressed() throws Exception {
    visit(server -> {
      AllCallsFailedException failure = assertThrows(
          AllCallsFailedException.class,
          () -> HttpCalls.firstSuccess(
              call(server, "/a", MockResponse.of(404).body("gone").after(SECOND)),
              call(server, "/b", LOST)));
      assertEquals(2, failure.getSuppressed().length);
      StatusException first = assertInstanceOf(StatusException.class, failure.getSuppressed()[0]);
      assertEquals("gone", first.excerpt());
      assertInstanceOf(ConnectionLostException.class, failure.getSuppressed()[1]);
      assertTrue(failure.getMessage().contains("none of 2 calls"), failure.getMessage());
      assertNothingIsInUse();
    });
  }

  @Test
  void hedgeIsSentAfterTheDelayAndNotBefore() throws Exception {
    visit(server -> {
      HttpCall third = call(server, "/c", MockResponse.ok("c"));
      Duration start = world.now();
      Response response = HttpCalls.hedged(
          SECOND,
          call(server, "/a", NEVER),
          call(server, "/b", MockResponse.ok("b").after(SECOND.dividedBy(2))),
          third);
      assertEquals("b", response.string());
      assertEquals(Duration.ofMillis(1_500), world.now().minus(start));
      assertEquals(List.of("/a", "/b"), asked(server));
      assertEquals(HttpCall.State.CANCELLED, third.state());
      assertNothingIsInUse();
    });
  }

  @Test
  void nextCallDoesNotWaitForTheDelayAfterAFailure() throws Exception {
    visit(server -> {
      Duration start = world.now();
      Response response = HttpCalls.hedged(
          Duration.ofHours(1),
          call(server, "/a", MockResponse.of(503).after(SECOND)),
          call(server, "/b", MockResponse.ok("b")));
      assertEquals("b", response.string());
      assertEquals(SECOND, world.now().minus(start));
    });
  }

  @Test
  void callThatIsCancelledByAnotherThreadFailsAlone() throws Exception {
    visit(server -> {
      HttpCall cancelled = call(server, "/a", NEVER);
      HttpCall other = call(server, "/b", MockResponse.ok("b").after(SECOND));
      cancelled.cancel();
      assertEquals("b", HttpCalls.firstSuccess(cancelled, other).string());
      HttpCall again = call(server, "/c", NEVER);
      again.cancel();
      assertThrows(CallCancelledException.class, () -> HttpCalls.all(again));
    });
  }

  @Test
  void uncheckedExceptionOfACallIsThrownAtOnceAndCancelsTheOthers() throws Exception {
    IllegalStateException bug = new IllegalStateException("a bug");
    try (ClientWorld faulty = new ClientWorld(client -> client.interceptor((request, chain) -> {
      if (request.path().equals("/bug")) {
        throw bug;
      }
      return chain.proceed(request);
    }))) {
      visit(faulty, server -> {
        HttpCall late = call(faulty, server, "/a", NEVER);
        HttpCall fails = call(faulty, server, "/bug", NEVER);
        assertSame(
            bug,
            assertThrows(IllegalStateException.class, () -> HttpCalls.firstSuccess(late, fails)));
        faulty.until(() -> faulty.inUse() == 0);
      });
    }
  }

  @Test
  void callsThatCannotBeMadeTogetherAreRefusedBeforeAnyBegins() throws Exception {
    Body once = Body.of(new ByteArrayInputStream(new byte[3]));
    Request post = Request.post("http://a.test/", once);
    HttpCall one = world.client.newCall(post);
    IllegalArgumentException shared = assertThrows(
        IllegalArgumentException.class,
        () -> HttpCalls.firstSuccess(one, world.client.newCall(post)));
    assertTrue(shared.getMessage().contains("only once"), shared.getMessage());
    assertThrows(IllegalStateException.class, () -> HttpCalls.all(one, one));
    assertThrows(IllegalArgumentException.class, () -> HttpCalls.firstSuccess());
    assertThrows(
        IllegalArgumentException.class, () -> HttpCalls.hedged(Duration.ofMillis(-1), one));
    assertEquals(HttpCall.State.READY, one.state());
  }

  @Test
  void callThatAnotherThreadExecutesIsNotCancelled() throws Exception {
    visit(server -> {
      HttpCall running = call(server, "/a", MockResponse.ok("a").after(SECOND));
      Running elsewhere = world.start(running::execute);
      world.until(() -> running.state() == HttpCall.State.RUNNING);
      HttpCall other = call(server, "/b", NEVER);
      assertThrows(IllegalStateException.class, () -> HttpCalls.all(other, running));
      world.assertAnswered(elsewhere, "a");
      assertEquals(HttpCall.State.READY, other.state());
    });
  }

  /** Whatever runs when: each seed orders the threads in another way. */
  @Test
  void nothingLeaksWhenCallsEndAtTheSameTime() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      try (ClientWorld any = new ClientWorld(SimNetwork.builder().seed(seed), client -> client)) {
        visit(any, server -> {
          Response first = HttpCalls.firstSuccess(
              call(any, server, "/a", MockResponse.ok(LARGE)),
              call(any, server, "/b", MockResponse.ok(LARGE)),
              call(any, server, "/c", MockResponse.ok(LARGE)));
          assertEquals(LARGE.length, first.bytes().length);
          any.until(() -> any.inUse() == 0);
          assertEquals(0, any.pool().leaked());
        });
      }
    }
  }
}
