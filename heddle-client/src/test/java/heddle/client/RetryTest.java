package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld.Running;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.RetryPolicy.Decision;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.ByteArrayInputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a request is sent again, when it is not, and what ends the waiting in between. */
@Timeout(60)
class RetryTest {
  private static final String BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n";
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world;

  private static ClientWorld world(RetryPolicy policy) {
    return new ClientWorld(client -> client.retries(policy));
  }

  /** Answers each request with the next of these, on one connection. */
  private static ScriptedPeer.Script answers(String... responses) {
    return c -> {
      for (String response : responses) {
        c.expectHead();
        c.send(response);
      }
      c.hasMore();
    };
  }

  @Test
  void aStatusIsRetriedAfterTheTimeThatTheServerNames() throws Exception {
    world = world(RetryPolicy.onStatus().build());
    world.serve(answers(BUSY + "Retry-After: 7\r\n\r\nbusy", SIX));
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      assertTrue(world.now().toSeconds() >= 7, world.now().toString());
      assertTrue(world.now().toSeconds() < 8, world.now().toString());
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void aDateInRetryAfterIsWaitedForWhicheverFormItHas(String date) throws Exception {
    Instant now = Instant.parse("1994-11-06T08:49:30Z");
    RetryPolicy policy =
        RetryPolicy.onStatus().wallClock(InstantSource.fixed(now)).build();
    world = world(policy);
    world.serve(answers(BUSY + "Retry-After: " + date + "\r\n\r\nbusy", SIX));
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      assertEquals(7, world.now().toSeconds());
    });
  }

  @Test
  void retriesEndAfterTheirNumberWithTheLastResponse() throws Exception {
    world = world(RetryPolicy.onStatus().times(2).build());
    world.serve(answers(BUSY + "\r\none!", BUSY + "\r\ntwo!", BUSY + "\r\nlast"));
    world.visit(peer -> {
      Response last = world.get(peer);
      assertEquals(503, last.status().code());
      assertEquals("last", last.string());
    });
  }

  @Test
  void aServerThatAsksForMoreTimeThanThereIsIsNotWaitedFor() throws Exception {
    world = world(RetryPolicy.onStatus().maxDelay(Duration.ofMinutes(10)).build());
    world.serve( // The call's deadline is a minute.
        answers(BUSY + "Retry-After: 61\r\n\r\nbusy"));
    world.visit(peer -> {
      assertEquals(503, world.get(peer).status().code());
      assertTrue(world.now().toSeconds() < 1, "waited " + world.now());
    });
  }

  @Test
  void aMethodThatIsNotIdempotentIsNotRetriedAfterAStatus() throws Exception {
    world = world(RetryPolicy.onStatus().build());
    world.serve(answers(BUSY + "\r\nbusy"));
    world.visit(peer -> {
      Request post = Request.post(peer.url("/"), Body.empty());
      assertEquals(503, world.client.send(post).status().code());
    });
  }

  @Test
  void anyMethodIsRetriedAfterAStatusIfThePolicySaysSo() throws Exception {
    world = world(RetryPolicy.onStatus().anyMethod().build());
    world.serve(answers(BUSY + "\r\nbusy", SIX));
    world.visit(peer -> {
      Request post = Request.post(peer.url("/"), Body.empty());
      assertEquals("Hello!", world.client.send(post).string());
    });
  }

  @Test
  void aBodyThatCannotBeProducedAgainIsNeverRetriedWhateverThePolicySays() throws Exception {
    RetryPolicy stubborn = attempt -> Decision.repeat();
    world = world(stubborn);
    world.serve(c -> {
      c.expectHead();
      c.send(BUSY + "\r\nbusy");
      c.hasMore();
    });
    world.visit(peer -> {
      Body once = Body.of(new ByteArrayInputStream(new byte[] {'x'}));
      Request put = Request.put(peer.url("/"), once);
      assertEquals(503, world.client.send(put).status().code());
    });
  }

  @Test
  void aPolicyThatThrowsRetriesNothing() throws Exception {
    RetryPolicy broken = attempt -> {
      throw new IllegalStateException("a policy that a test makes throw");
    };
    world = world(broken);
    world.serve(c -> {
      c.expectHead();
      c.send(BUSY + "\r\nbusy");
      c.close();
    });
    world.visit(peer -> {
      assertEquals(503, world.get(peer).status().code());
      world.assertNothingIsOpen();
    });
  }

  @Test
  @SuppressWarnings("NullAway") // what a policy must not do
  void aPolicyThatDecidesNothingRetriesNothing() throws Exception {
    RetryPolicy undecided = attempt -> null;
    world = world(undecided);
    world.serve(c -> {
      c.expectHead();
      c.send(BUSY + "\r\n");
      c.sleep(Duration.ofSeconds(1));
      c.send("busy");
      c.expectHead();
      c.close();
    });
    world.visit(peer -> {
      Response busy = world.get(peer);
      assertEquals(503, busy.status().code());
      assertEquals("busy", busy.string());
      HttpException failure = world.failureOf(peer.url("/"));
      assertInstanceOf(ConnectionLostException.class, failure);
    });
  }

  @Test
  void aRequestThatWasAnsweredIsNotCalledUnsentBecauseItsRepetitionWas() throws Exception {
    world = world(RetryPolicy.onStatus().build());
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n"
          + "Retry-After: 5\r\n\r\n");
    });
    world.visit(peer -> {
      Running call = world.start(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      peer.close();
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      ConnectFailedException refused =
          assertInstanceOf(ConnectFailedException.class, failed.getCause());
      assertEquals(Sent.YES, refused.at().sent(), refused.getMessage());
    });
  }

  @Test
  void theBudgetBoundsRetriesHoweverStubbornThePolicyIs() throws Exception {
    RetryPolicy stubborn = attempt -> Decision.repeat();
    AtomicInteger asked = new AtomicInteger();
    world = new ClientWorld(client -> client.retries(stubborn).retryBudget(new RetryBudget(0, 2)));
    world.visit(peer -> assertEquals(503, world.get(peer).status().code()), c -> {
      while (c.hasMore()) {
        c.expectHead();
        asked.incrementAndGet();
        c.send(BUSY + "\r\nbusy");
      }
    });
    // Two a second, for ten seconds, and the request itself.
    assertEquals(21, asked.get());
  }

  @Test
  void theBudgetGrowsWithTheRequestsOfTheRoute() throws Exception {
    RetryPolicy stubborn = attempt -> Decision.repeat();
    AtomicInteger asked = new AtomicInteger();
    world =
        new ClientWorld(client -> client.retries(stubborn).retryBudget(new RetryBudget(0.1, 0)));
    world.serve(c -> {
      for (int i = 0; i < 300; i++) {
        c.expectHead();
        c.send(SIX);
      }
      while (c.hasMore()) {
        c.expectHead();
        asked.incrementAndGet();
        c.send(BUSY + "\r\nbusy");
      }
    });
    world.visit(peer -> {
      for (int i = 0; i < 300; i++) {
        assertEquals("Hello!", world.get(peer).string());
        world.network.sleep(Duration.ofMillis(100));
      }
      assertEquals(503, world.get(peer).status().code());
    });
    // A tenth of the ten requests a second, for ten seconds; the rate is an estimate.
    int repeated = asked.get() - 1;
    assertTrue(repeated >= 5 && repeated <= 15, repeated + " were repeated");
  }

  @Test
  void theBudgetBoundsAttemptsToConnectToo() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    RetryPolicy stubborn = attempt -> {
      asked.incrementAndGet();
      return Decision.repeat();
    };
    world = new ClientWorld(client -> client.retries(stubborn).retryBudget(new RetryBudget(0, 2)));
    world.network.run(() -> {
      world.failureOf("http://a.test:81/");
      assertEquals(21, asked.get());
      world.client.close();
      assertInstanceOf(ClientClosedException.class, world.failureOf("http://a.test:81/"));
      assertEquals(21, asked.get());
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatAServerRefusedIsRepeatedOnlyWithinTheBudget(int perSecond) throws Exception {
    world = new ClientWorld(
        client -> client.version(HttpVersion.HTTP_2).retryBudget(new RetryBudget(0, perSecond)));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.REFUSED_STREAM);
      if (perSecond > 0) {
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "done");
      }
    }));
    world.visit(peer -> {
      if (perSecond == 0) {
        assertInstanceOf(RequestNotProcessedException.class, world.failureOf(peer.url("/")));
      } else {
        assertEquals("done", world.get(peer).string());
      }
    });
  }

  @Test
  void everyFailureOfACallIsInTheLastOne() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 6; i++) {
        h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.REFUSED_STREAM);
      }
    }));
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      int count = 1;
      for (Throwable each = failure; each.getSuppressed().length > 0; count++) {
        each = each.getSuppressed()[0];
        assertInstanceOf(RequestNotProcessedException.class, each);
      }
      assertEquals(6, count);
    });
  }

  // ---- what ends the waiting between two attempts

  private static RetryPolicy after(Duration delay) {
    return attempt -> attempt.status() == Status.OK ? Decision.stop() : Decision.repeatAfter(delay);
  }

  @Test
  void theDeadlineHoldsThroughRetriesAndTheAccountNamesTheWaiting() throws Exception {
    world = world(after(Duration.ofSeconds(25)));
    world.serve(c -> {
      c.expectHead();
      c.send(BUSY + "\r\nbusy");
      c.expectHead();
      c.send(BUSY + "\r\nbusy");
      c.expectHead();
      c.hasMore();
    });
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      assertEquals(Duration.ofMinutes(1), failure.at().elapsed());
      assertEquals(Phase.AWAIT_HEAD, failure.at().phase());
      assertEquals(Duration.ofSeconds(50), failure.at().spent().get(Phase.BACKOFF));
      assertEquals(Duration.ofSeconds(10), failure.at().spent().get(Phase.AWAIT_HEAD));
      ClientWorld.assertSays(failure, "AWAIT_HEAD 10000 ms, BACKOFF 50000 ms");
    });
  }

  @Test
  void anInterruptEndsTheWaiting() throws Exception {
    world = world(after(Duration.ofSeconds(25)));
    world.serve(answers(BUSY + "\r\nbusy"));
    world.visit(peer -> {
      Running call = world.startUnderWay(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      Duration before = world.now();
      call.thread().interrupt();
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      assertSame(InterruptedIOException.class, failure.getCause().getClass());
      assertTrue(call.interrupted().get());
      assertEquals(before, world.now());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void closingTheClientEndsTheWaiting() throws Exception {
    world = world(after(Duration.ofSeconds(25)));
    world.serve(answers(BUSY + "\r\nbusy"));
    world.visit(peer -> {
      Running call = world.startUnderWay(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      Duration before = world.now();
      world.client.close();
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      assertInstanceOf(ClientClosedException.class, failure.getCause());
      assertEquals(before, world.now());
      world.assertNothingIsOpen();
    });
  }
}
