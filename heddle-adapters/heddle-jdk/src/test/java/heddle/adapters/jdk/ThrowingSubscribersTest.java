package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers and subscribers that throw: their calls fail with what was thrown, and do not hang. */
@Timeout(60)
class ThrowingSubscribersTest {
  /** Where something is thrown. */
  private enum Place {
    HANDLER,
    ON_SUBSCRIBE,
    ON_NEXT,
    ON_COMPLETE,
    GET_BODY,
    NO_BODY,
    BODY_FAILS;

    /** What an asynchronous call fails with: over the JDK's own client it is the same. */
    String failure(Kind kind) {
      return switch (this) {
        case NO_BODY -> "NullPointerException";
        case BODY_FAILS -> "IllegalStateException";
        default -> kind == Kind.ERROR ? "AssertionError" : "IllegalStateException";
      };
    }
  }

  /** What is thrown. */
  private enum Kind {
    RUNTIME,
    ERROR;

    void raise() {
      if (this == ERROR) {
        throw new AssertionError("thrown");
      }
      throw new IllegalStateException("thrown");
    }
  }

  /** A handler and its subscriber, which throws in one place. */
  private record Throwing(Place place, Kind kind) implements BodyHandler<String> {
    @Override
    public BodySubscriber<String> apply(ResponseInfo info) {
      raiseAt(Place.HANDLER);
      return new Subscribed(this);
    }

    void raiseAt(Place here) {
      if (here == place) {
        kind.raise();
      }
    }
  }

  private static final class Subscribed implements BodySubscriber<String> {
    private final Throwing throwing;
    private final CompletableFuture<String> body = new CompletableFuture<>();

    Subscribed(Throwing throwing) {
      this.throwing = throwing;
    }

    @Override
    @SuppressWarnings("NullAway") // that it must not answer null is what is tried
    public CompletionStage<String> getBody() {
      throwing.raiseAt(Place.GET_BODY);
      return throwing.place() == Place.NO_BODY ? null : body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      throwing.raiseAt(Place.ON_SUBSCRIBE);
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      throwing.raiseAt(Place.ON_NEXT);
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      throwing.raiseAt(Place.ON_COMPLETE);
      if (throwing.place() == Place.BODY_FAILS) {
        body.completeExceptionally(new IllegalStateException("no body"));
      } else {
        body.complete("all");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void exceptionsFailTheCall(Place place) throws Exception {
    String said = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    for (Kind kind : Kind.values()) {
      try (HttpClient client = Stack.HEDDLE.client();
          ScriptedPeer peer =
              ScriptedPeer.each(TcpNetwork.shared(), Outcomes.saying(said, false))) {
        HttpRequest request = Outcomes.to(peer).build();
        assertEquals(
            List.of("IOException", place.failure(kind)),
            Outcomes.of(client, request, new Throwing(place, kind), String::valueOf));
      }
    }
  }
}
