package heddle.client.coalescing;

import static heddle.client.coalescing.NamedServers.options;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that say that another origin's connection is the wrong one (RFC 9110 §15.5.20). */
@Timeout(60)
class MisdirectedTest {
  private static final String A = "https://a.test/a";
  private static final String B = "https://b.test/b";
  private static final String[] BOTH = {"a.test", "b.test"};
  private static final MockResponse WRONG = MockResponse.of(421).body("not here");

  @AutoClose
  private NamedServers servers;

  /** On which connection each request came. */
  private static List<Integer> connections(MockServer server) {
    return server.requests().stream().map(each -> each.connection()).toList();
  }

  private static void assertMisdirected(NamedServers servers, Request request) throws IOException {
    try (Response response = servers.world.client.send(request)) {
      assertEquals("421 not here", response.status().code() + " " + response.string());
    }
  }

  @Test
  void theRequestIsSentAgainOnAConnectionOfItsOwn() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      server.enqueue("/b", WRONG);
      servers.get(A);
      servers.get(B);
      assertEquals(List.of(1, 1, 2), connections(server));
      assertEquals(0, servers.route("a.test").inFlight());
    });
  }

  @Test
  void aPostIsSentAgainThoughNothingElseWouldBe() throws Exception {
    servers = new NamedServers(b -> b.retries(RetryPolicy.never()));
    servers.visit(options(BOTH), server -> {
      server.enqueue("/b", WRONG);
      servers.get(A);
      servers.assertAnswered(Request.post(B, Body.of("content")));
      assertEquals(List.of(1, 1, 2), connections(server));
      assertEquals("content", server.requests().getLast().text());
    });
  }

  @Test
  void whoseBodyCannotBeReadTwiceGetsTheResponse() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      server.enqueue("/b", WRONG);
      servers.get(A);
      Body once = Body.of(new ByteArrayInputStream(new byte[3]));
      assertMisdirected(servers, Request.post(B, once));
      assertEquals(List.of(1, 1), connections(server));
      servers.get(B);
      assertEquals(List.of(1, 1, 2), connections(server));
    });
  }

  @Test
  void misdirectedOnItsOwnConnectionGetsTheResponse() throws Exception {
    RetryPolicy unasked = new RetryPolicy() {
      @Override
      public Decision decide(Attempt attempt) {
        throw new AssertionError("asked about " + attempt);
      }

      @Override
      public boolean isAskedAbout(Status status) {
        return false;
      }
    };
    servers = new NamedServers(b -> b.retries(unasked));
    servers.visit(options(BOTH), server -> {
      server.answer("/b", WRONG);
      servers.get(A);
      assertMisdirected(servers, Request.get(B));
      assertEquals(List.of(1, 1, 2), connections(server));
      assertMisdirected(servers, Request.get(B));
      assertEquals(List.of(1, 1, 2, 2), connections(server));
    });
  }

  @Test
  void policyMayRepeatMisdirectedOnItsOwnConnection() throws Exception {
    RetryPolicy twice = RetryPolicy.onStatus().statuses(421).times(2).build();
    servers = new NamedServers(b -> b.retries(twice));
    servers.visit(options(BOTH), server -> {
      server.enqueue("/b", WRONG);
      server.enqueue("/b", WRONG);
      server.enqueue("/b", WRONG);
      servers.get(A);
      servers.get(B);
      assertEquals(List.of(1, 1, 2, 2, 2), connections(server));
    });
  }

  @Test
  void theOriginStaysAwayForTheLifeOfThatConnection() throws Exception {
    PoolLimits limits = PoolLimits.builder().idleTimeout(Duration.ofSeconds(55)).build();
    servers = new NamedServers(b -> b.poolLimits(limits));
    servers.visit(options(BOTH), server -> {
      server.enqueue("/b", WRONG);
      servers.get(A);
      servers.get(B);
      servers.world.network.sleep(Duration.ofSeconds(40));
      servers.get(A);
      servers.world.network.sleep(Duration.ofSeconds(40));
      assertEquals(1, servers.world.pool().open(), "b.test's own was idle too long");
      servers.get(B);
      assertEquals(List.of(1, 1, 2, 1, 3), connections(server));
      servers.world.network.sleep(Duration.ofSeconds(100));
      assertEquals(0, servers.world.pool().open());
      servers.get(A);
      servers.get(B);
      assertEquals(4, server.connections(), "the connection that was wrong is gone");
    });
  }

  @Test
  void anotherOriginIsNotConcerned() throws Exception {
    servers = new NamedServers();
    servers.visit(options("a.test", "b.test", "c.a.test"), server -> {
      server.enqueue("/b", WRONG);
      servers.get(A);
      servers.get(B);
      servers.get("https://c.a.test/");
      assertEquals(2, server.connections());
    });
  }

  @Test
  void eachAttemptIsSeen() throws Exception {
    List<String> diary = new CopyOnWriteArrayList<>();
    servers = new NamedServers(b -> b.listener(new Diary(diary)));
    servers.visit(options(BOTH), server -> {
      servers.get(A);
      server.enqueue("/b", WRONG);
      diary.clear();
      servers.get(B);
      assertEquals(
          List.of(
              "attempt 1",
              "acquired that of a.test, used before",
              "ended with 421",
              "attempt 2",
              "acquired that of b.test",
              "ended with 200",
              "call of 2 attempts over that of b.test"),
          diary);
    });
  }

  private record Diary(List<String> entries) implements ExchangeListener {
    @Override
    public void attemptStarted(AttemptInfo attempt) {
      entries.add("attempt " + attempt.number());
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      entries.add(
          "acquired that of " + connection.origin().host() + (reused ? ", used before" : ""));
    }

    @Override
    public void attemptEnded(
        AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
      entries.add("ended with " + (status == null ? failure : status.code()));
    }

    @Override
    public void callEnded(CallSummary summary) {
      ConnectionInfo last = summary.connection();
      entries.add("call of " + summary.attempts() + " attempts over that of "
          + (last == null ? "nobody" : last.origin().host()));
    }
  }
}
