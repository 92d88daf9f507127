package heddle.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.ResponseFailedException;
import heddle.connection.ResponseOutput;
import heddle.connection.ServerExchange;
import heddle.connection.UpgradedStream;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import heddle.transport.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error on the way to an answer ends the exchange. */
class DispatcherTest {
  private static final ExchangeHandler FAILING = exchange -> {
    throw new OutOfMemoryError("injected into the handler");
  };

  private static void dispatch(ExchangeHandler handler, ServerExchange exchange) {
    new Dispatcher(handler, Runnable::run, null, () -> {}).dispatch(exchange);
  }

  @ParameterizedTest
  @ValueSource(strings = {"request", "statusOfFault", "isCut", "respond"})
  void anErrorAfterTheExchangeHandlersOwnAbandonsTheExchange(String failing) {
    FakeExchange exchange = new FakeExchange(Set.of(failing));
    dispatch(FAILING, exchange);
    assertTrue(exchange.calls.containsAll(List.of(failing, "abandon")), exchange.calls::toString);
    assertEquals("leave", exchange.calls.getLast());
  }

  @Test
  void anErrorAfterAResponseThatCannotBeSentAbandonsTheExchange() {
    FakeExchange exchange = new FakeExchange(Set.of("isCommitted"));
    dispatch(any -> Response.ok("cannot be sent"), exchange);
    assertEquals(
        List.of("isCommitted", "abandon", "leave"),
        exchange.calls.reversed().subList(0, 3).reversed());
  }

  @Test
  void aRequestThatIsTurnedAwayIsRefusedEvenIfCountingItFails() {
    FakeExchange exchange = new FakeExchange(Set.of());
    Dispatcher dispatcher = new Dispatcher(
        FAILING,
        task -> {
          throw new OutOfMemoryError("injected: no thread");
        },
        null,
        () -> {
          throw new OutOfMemoryError("injected");
        });
    try {
      dispatcher.dispatch(exchange);
    } catch (OutOfMemoryError e) {
      assertEquals("injected", e.getMessage());
    }
    assertEquals(List.of("refuse"), exchange.calls);
  }

  /** Takes down what is called, and throws where it is to fail. */
  private static final class FakeExchange implements ServerExchange {
    private final Set<String> failing;
    private final List<String> calls = new ArrayList<>();

    FakeExchange(Set<String> failing) {
      this.failing = failing;
    }

    private void call(String name) {
      calls.add(name);
      if (failing.contains(name)) {
        throw new OutOfMemoryError("injected into " + name);
      }
    }

    @Override
    public Request request() {
      call("request");
      try {
        return Request.get("http://server/");
      } catch (MalformedUrlException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public @Nullable Status statusOfFault(Throwable failure) {
      call("statusOfFault");
      return null;
    }

    @Override
    public boolean hasFault() {
      call("hasFault");
      return false;
    }

    @Override
    public boolean isCommitted() {
      call("isCommitted");
      return false;
    }

    @Override
    public void respond(Response response) throws ResponseFailedException {
      call("respond");
      if (response.status().equals(Status.OK)) {
        throw new ResponseFailedException("injected", null);
      }
    }

    @Override
    public boolean isCut() {
      call("isCut");
      return false;
    }

    @Override
    public void abandon() {
      call("abandon");
    }

    @Override
    public void leave() {
      call("leave");
    }

    @Override
    public void reportRefused(@Nullable Status status) {}

    @Override
    public void refuse(Response response) {
      call("refuse");
    }

    @Override
    public boolean isOnLoop() {
      return false;
    }

    @Override
    public boolean enter(Runnable ending) {
      return true;
    }

    @Override
    public void interim(Status status, Headers fields) {
      throw new AssertionError();
    }

    @Override
    public UpgradedStream switchProtocols(String protocol, Headers fields) {
      throw new IllegalStateException("not asked for");
    }

    @Override
    public ResponseOutput begin(Response head) {
      throw new AssertionError();
    }

    @Override
    public HttpVersion version() {
      return HttpVersion.HTTP_1_1;
    }

    @Override
    public Channel channel() {
      throw new AssertionError();
    }

    @Override
    public long connectionId() {
      return 1;
    }

    @Override
    public Method method() {
      return Method.GET;
    }

    @Override
    public String target() {
      return "/";
    }
  }
}
