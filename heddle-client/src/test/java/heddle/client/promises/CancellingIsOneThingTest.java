package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Promise 8: cancelling is one thing")
@Timeout(60)
class CancellingIsOneThingTest {
  /** A server that answers nothing, and sees how each request ends. */
  private static ScriptedPeer.Script silent(HttpVersion version) {
    if (version == HttpVersion.HTTP_1_1) {
      return ClientWorld::waitForTheEnd;
    }
    return Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 3; i++) {
        h2.expectHeaders();
      }
      for (int i = 0; i < 3; i++) {
        Frame.RstStream reset = assertInstanceOf(Frame.RstStream.class, h2.expectFrame());
        assertEquals(ErrorCode.CANCEL.code(), reset.code());
      }
      h2.expectClosed();
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void leavingAScopeEndsItsCallsAsAnInterruptDoes(HttpVersion version) throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client.version(version))) {
      world.visitMany(
          peer -> {
            List<Future<Response>> calls = new ArrayList<>();
            Duration before;
            try (ExecutorService scope =
                Executors.newThreadPerTaskExecutor(world.network.threadFactory())) {
              for (int i = 0; i < 3; i++) {
                Request request = Request.get(peer.url("/"));
                calls.add(scope.submit(() -> world.client.send(request)));
                world.network.sleep(Duration.ofMillis(10));
              }
              before = world.now();
              scope.shutdownNow();
              world.until(() -> calls.stream().allMatch(Future::isDone));
            }
            assertTrue(world.now().minus(before).toMillis() <= 10);
            for (Future<Response> call : calls) {
              assertInstanceOf(InterruptedIOException.class, call.exceptionNow());
            }
            assertEquals(0, world.pool().routes().getFirst().inFlight());
            assertEquals(version == HttpVersion.HTTP_2 ? 1 : 0, world.pool().open());
          },
          silent(version));
    }
  }
}
