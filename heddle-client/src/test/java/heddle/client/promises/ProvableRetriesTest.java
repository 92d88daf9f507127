package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.ClientWorld;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Promise 11: retries are provable")
@Timeout(60)
class ProvableRetriesTest {
  /** What becomes of the request's first attempt. */
  enum Fate {
    REFUSED_STREAM,
    ABOVE_GOAWAY,
    LOST
  }

  record Case(Fate fate, String method, boolean replayable) {
    /** A request may be sent again where it was not processed, or where that does no harm. */
    boolean isRepeated() {
      return replayable && (fate != Fate.LOST || Method.of(method).isIdempotent());
    }

    Body body() {
      byte[] content = {1, 2, 3};
      return replayable ? Body.of(content) : Body.of(new ByteArrayInputStream(content), 3);
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Fate fate : Fate.values()) {
      for (String method : List.of("PUT", "POST", "PATCH", "DELETE")) {
        cases.add(new Case(fate, method, true));
        cases.add(new Case(fate, method, false));
      }
    }
    return cases;
  }

  private final List<CallSummary> summaries = new CopyOnWriteArrayList<>();

  /** The requests that have reached the server, but for the one that opens the connection. */
  private final List<String> came = new CopyOnWriteArrayList<>();

  private ClientWorld world() {
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        summaries.add(summary);
      }
    };
    return new ClientWorld(client -> client.version(HttpVersion.HTTP_2).listener(listener));
  }

  private int take(Http2Peer h2) throws IOException {
    Http2Head head = h2.expectHeaders();
    came.add(head.value(":method"));
    h2.expectContent(head.streamId());
    return head.streamId();
  }

  private ScriptedPeer.Script answers() {
    return Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(take(h2), 200, "done");
      h2.expectClosed();
    });
  }

  private ScriptedPeer.Script first(Case it) {
    return Http2Peer.server(h2 -> {
      h2.handshake();
      int opening = h2.expectHeaders().streamId();
      h2.sendResponse(opening, 200, "");
      int stream = take(h2);
      switch (it.fate()) {
        case REFUSED_STREAM -> {
          h2.sendRst(stream, ErrorCode.REFUSED_STREAM);
          if (h2.connection().hasMore() && it.isRepeated()) {
            h2.sendResponse(take(h2), 200, "done");
          }
        }
        case ABOVE_GOAWAY -> h2.sendGoAway(opening, ErrorCode.NO_ERROR);
        case LOST -> h2.close();
      }
      h2.expectClosed();
    });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aRequestIsSentAgainOnlyWhereThatIsSafeAndSaysWhetherItWasSent(Case it) throws Exception {
    try (ClientWorld world = world()) {
      ScriptedPeer.Script first = first(it);
      ScriptedPeer.Script next = answers();
      AtomicInteger connections = new AtomicInteger();
      world.visitMany(
          peer -> {
            world.get(peer).close();
            Request request = Request.builder(peer.url("/"))
                .method(Method.of(it.method()))
                .body(it.body())
                .build();
            if (it.isRepeated()) {
              assertEquals("done", world.client.send(request).string());
            } else {
              assertSays(it, assertThrows(HttpException.class, () -> world.client.send(request)));
            }
            assertEquals(it.isRepeated() ? 2 : 1, summaries.getLast().attempts());
            assertEquals(it.isRepeated() ? 2 : 1, came.size(), came.toString());
          },
          c -> (connections.getAndIncrement() == 0 ? first : next).run(c));
    }
  }

  private static void assertSays(Case it, HttpException failure) {
    if (it.fate() == Fate.LOST) {
      assertInstanceOf(ConnectionLostException.class, failure);
      assertEquals(Sent.YES, failure.at().sent());
    } else {
      assertInstanceOf(RequestNotProcessedException.class, failure);
      assertEquals(Sent.NO, failure.at().sent());
    }
  }
}
