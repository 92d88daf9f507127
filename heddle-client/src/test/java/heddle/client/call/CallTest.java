package heddle.client.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.pool.Lease;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Repeating a call, with connections that fail as they are told. */
@Timeout(60)
class CallTest {
  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final List<Fragile> opened = new ArrayList<>();
  private final ConnectionPool pool = new ConnectionPool(
      PoolLimits.DEFAULTS,
      (route, exchange, onClosed) -> {
        Fragile connection = new Fragile();
        opened.add(connection);
        return connection;
      },
      world.loop());

  /** Answers until it is broken; then fails having sent so much of the request. */
  private static final class Fragile implements Connection {
    private boolean open = true;
    private Sent brokenAfter = Sent.NO;
    private boolean broken;
    private boolean withoutMemory;
    private @Nullable Function<FailurePoint, IOException> failure;

    @Override
    public Response send(Request request, Exchange exchange) throws IOException {
      if (withoutMemory) {
        throw new OutOfMemoryError("injected");
      }
      exchange.enter(Phase.AWAIT_HEAD);
      if (failure != null) {
        exchange.ended(false);
        throw failure.apply(exchange.point());
      }
      if (!broken) {
        exchange.sent(Sent.YES);
        exchange.ended(true);
        return Response.of(Status.OK);
      }
      exchange.sent(brokenAfter);
      exchange.ended(false);
      throw new ConnectionLostException(
          "gone", Progress.NOTHING, Side.UNKNOWN, exchange.point(), null);
    }

    @Override
    public int maxExchanges() {
      return 1;
    }

    @Override
    public boolean isMultiplexed() {
      return false;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }

  private Response call(Request request) throws IOException {
    Route route = new Route(request.origin());
    return calls(pool).begin(request, route, Deadline.never(), null).call();
  }

  private Calls calls(ConnectionPool over) {
    Connector unused = (route, exchange, listener) -> {
      throw new AssertionError("the pool has another connector");
    };
    return new Calls(unused, watch -> over, world.loop(), new CallOptions(), null);
  }

  /** Leaves this many idle connections in the pool, all of them broken. */
  private void breakIdle(Request request, Sent... sent) throws IOException {
    Exchange patient =
        calls(pool).begin(request, new Route(request.origin()), Deadline.never(), null);
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < sent.length; i++) {
      leases.add(pool.acquire(new Route(request.origin()), patient));
    }
    leases.forEach(lease -> lease.release(true));
    for (int i = 0; i < sent.length; i++) {
      // The one released last is leased first.
      Fragile next = opened.get(sent.length - 1 - i);
      next.broken = true;
      next.brokenAfter = sent[i];
    }
  }

  @Test
  void whatWasNotSentTriesEveryIdleConnectionAndThenANewOne() throws Exception {
    world.run(() -> {
      Request request = Request.post("http://a.test/", Body.of("x"));
      breakIdle(request, Sent.NO, Sent.NO, Sent.NO);
      assertSame(Status.OK, call(request).status());
      assertEquals(4, opened.size());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void whatMayHaveBeenSentIsRepeatedOnANewConnection() throws Exception {
    world.run(() -> {
      Request request = Request.get("http://a.test/");
      breakIdle(request, Sent.NO, Sent.UNKNOWN, Sent.UNKNOWN, Sent.NO, Sent.UNKNOWN);
      assertSame(Status.OK, call(request).status());
      assertEquals(6, opened.size());
    });
  }

  @Test
  void whatMayHaveBeenSentAndIsNotIdempotentIsNotRepeated() throws Exception {
    world.run(() -> {
      Request request = Request.post("http://a.test/", Body.of("x"));
      breakIdle(request, Sent.NO, Sent.UNKNOWN, Sent.NO);
      ConnectionLostException failure =
          assertThrows(ConnectionLostException.class, () -> call(request));
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(1, pool.snapshot().open());
    });
  }

  /** Fails each call in the same way, or answers over HTTP/1.1. */
  private final class Refusing implements Connector {
    private final Function<FailurePoint, IOException> failure;
    private final List<@Nullable HttpVersion> asked = new ArrayList<>();

    Refusing(Function<FailurePoint, IOException> failure) {
      this.failure = failure;
    }

    @Override
    public Connection connect(Route route, Exchange exchange, ConnectionListener listener) {
      asked.add(route.version());
      Fragile connection = new Fragile();
      if (route.version() != HttpVersion.HTTP_1_1) {
        connection.failure = failure;
      }
      return connection;
    }

    Response call(Request request, @Nullable HttpVersion version) throws IOException {
      ConnectionPool own = new ConnectionPool(PoolLimits.DEFAULTS, this, world.loop());
      Route route = new Route(request.origin(), version);
      return calls(own).begin(request, route, Deadline.never(), null).call();
    }
  }

  @Test
  void whatTheServerDidNotProcessIsRepeatedWhateverItsMethodButNotForEver() throws Exception {
    world.run(() -> {
      Refusing refusing =
          new Refusing(at -> new RequestNotProcessedException("refused", true, at, null));
      Request request = Request.post("http://a.test/", Body.of("x"));
      assertThrows(
          RequestNotProcessedException.class, () -> refusing.call(request, HttpVersion.HTTP_2));
      assertEquals(6, refusing.asked.size());
    });
  }

  @Test
  void aBodyThatCannotBeReadAgainIsNotRepeated() throws Exception {
    world.run(() -> {
      Refusing refusing =
          new Refusing(at -> new RequestNotProcessedException("refused", true, at, null));
      Body once = Body.of(new ByteArrayInputStream(new byte[1]));
      assertThrows(
          RequestNotProcessedException.class,
          () -> refusing.call(Request.post("http://a.test/", once), HttpVersion.HTTP_2));
      assertEquals(1, refusing.asked.size());
    });
  }

  @Test
  void aServerThatRequiresHttp11GetsItUnlessTheCallerChoseTheVersion() throws Exception {
    world.run(() -> {
      Refusing refusing = new Refusing(at -> new StreamResetException("use 1.1", 0xd, at, null));
      Request request = Request.post("https://a.test/", Body.of("x"));
      assertSame(Status.OK, refusing.call(request, null).status());
      assertEquals(Arrays.asList(null, HttpVersion.HTTP_1_1), refusing.asked);
      assertThrows(StreamResetException.class, () -> refusing.call(request, HttpVersion.HTTP_2));
    });
  }

  @Test
  void aConnectionWithoutMemoryToBeginAnExchangeIsGivenUp() throws Exception {
    world.run(() -> {
      Request request = Request.get("http://a.test/");
      call(request);
      opened.getFirst().withoutMemory = true;
      assertThrows(OutOfMemoryError.class, () -> call(request));
      assertEquals(0, pool.snapshot().open());
      assertFalse(opened.getFirst().isOpen());
    });
  }
}
