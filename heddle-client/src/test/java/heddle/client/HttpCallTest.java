package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ConnectFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The states of a call, and cancelling it in each. {@link AbortEverywhereTest} has the phases. */
@Timeout(60)
class HttpCallTest {
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  @AutoClose
  private final ClientWorld world = new ClientWorld();

  private void visitServerWithSix(ClientWorld.Visit visit) throws Exception {
    world.visit(visit, c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
  }

  /** In virtual time, so the server has the request for certain. */
  private void letRequestArrive() throws IOException {
    world.network.sleep(Duration.ofSeconds(1));
  }

  private static void assertUnconnected(ClientWorld world) {
    assertEquals(0, world.pool().open(), "a connection was opened");
  }

  @Test
  void callBecomesAnsweredWithItsResponse() throws Exception {
    visitServerWithSix(peer -> {
      Request request = Request.get(peer.url("/"));
      HttpCall call = world.client.newCall(request);
      assertEquals(request, call.request());
      assertEquals(HttpCall.State.READY, call.state());
      assertEquals("Hello!", call.execute().string());
      assertEquals(HttpCall.State.ANSWERED, call.state());
    });
  }

  @Test
  void callIsExecutedOnce() throws Exception {
    visitServerWithSix(peer -> {
      HttpCall call = world.client.newCall(Request.get(peer.url("/")));
      call.execute().close();
      assertThrows(IllegalStateException.class, call::execute);
      assertThrows(IllegalStateException.class, call::executeAsync);
      assertEquals(HttpCall.State.ANSWERED, call.state());
    });
  }

  @Test
  void failedCallIsNotCancelledLater() throws Exception {
    world.network.run(() -> {
      HttpCall call = world.client.newCall(Request.get("http://a.test:81/"));
      assertThrows(Exception.class, call::execute);
      assertEquals(HttpCall.State.FAILED, call.state());
      call.cancel();
      assertEquals(HttpCall.State.FAILED, call.state());
    });
  }

  @Test
  void callThatIsCancelledBeforeItIsExecutedSendsNothing() throws Exception {
    visitServerWithSix(peer -> {
      HttpCall call = world.client.newCall(Request.get(peer.url("/")));
      call.cancel();
      assertEquals(HttpCall.State.CANCELLED, call.state());
      assertThrows(CallCancelledException.class, call::execute);
      CompletableFuture<Response> future = call.executeAsync();
      assertInstanceOf(CallCancelledException.class, future.exceptionNow());
      assertUnconnected(world);
      assertEquals("Hello!", world.get(peer).string());
    });
  }

  @Test
  void cancellingARunningAsynchronousCallFailsItsFuture() throws Exception {
    world.visit(
        peer -> {
          HttpCall call = world.client.newCall(Request.get(peer.url("/")));
          CompletableFuture<Response> future = call.executeAsync();
          letRequestArrive();
          assertEquals(HttpCall.State.RUNNING, call.state());
          call.cancel();
          call.cancel();
          world.untilOver(future);
          assertInstanceOf(CallCancelledException.class, future.exceptionNow());
          assertEquals(HttpCall.State.CANCELLED, call.state());
          world.until(() -> world.pool().open() == 0);
        },
        ClientWorld::waitForTheEnd);
  }

  @Test
  void cancellingTheFutureCancelsTheCall() throws Exception {
    world.visit(
        peer -> {
          HttpCall call = world.client.newCall(Request.get(peer.url("/")));
          CompletableFuture<Response> future = call.executeAsync();
          letRequestArrive();
          assertTrue(future.cancel(false));
          assertEquals(HttpCall.State.CANCELLED, call.state());
          world.until(() -> world.pool().open() == 0);
        },
        ClientWorld::waitForTheEnd);
  }

  @Test
  void readingAfterCancellingFailsAndTheConnectionIsClosed() throws Exception {
    world.visit(
        peer -> {
          HttpCall call = world.client.newCall(Request.get(peer.url("/")));
          Response response = call.execute();
          call.cancel();
          assertThrows(CallCancelledException.class, response::bytes);
          assertEquals(HttpCall.State.CANCELLED, call.state());
          world.until(() -> world.pool().open() == 0);
        },
        ClientWorld::withholdContent);
  }

  @Test
  void callNamesItsConnectionFromWhenItHasOne() throws Exception {
    world.visit(
        peer -> {
          HttpCall call = world.client.newCall(Request.get(peer.url("/")));
          assertNull(call.connection());
          CompletableFuture<Response> future = call.executeAsync();
          letRequestArrive();
          ConnectionInfo held = Objects.requireNonNull(call.connection());
          assertEquals(call.request().origin(), held.origin());
          assertEquals(HttpVersion.HTTP_1_1, held.version());
          call.cancel();
          world.untilOver(future);
          assertEquals(held, call.connection());
        },
        ClientWorld::waitForTheEnd);
  }

  @Test
  void callThatGotNoConnectionNamesNone() throws Exception {
    world.network.run(() -> {
      HttpCall call = world.client.newCall(Request.get("http://a.test:81/"));
      assertThrows(ConnectFailedException.class, call::execute);
      assertNull(call.connection());
    });
  }

  @Test
  void afterARetryACallNamesTheLatterConnection() throws Exception {
    world.visit(
        peer -> {
          HttpCall first = world.client.newCall(Request.get(peer.url("/")));
          assertEquals("Hello!", first.execute().string());
          HttpCall second = world.client.newCall(Request.get(peer.url("/")));
          assertEquals("Hello!", second.execute().string());
          assertNotEquals(
              Objects.requireNonNull(first.connection()).id(),
              Objects.requireNonNull(second.connection()).id());
        },
        c -> {
          c.expectHead();
          c.send(SIX);
          c.expectHead();
          c.close();
        },
        c -> {
          c.expectHead();
          c.send(SIX);
          c.expectEnd();
        });
  }

  @Test
  void threadThatExecutedKeepsNoInterrupt() throws Exception {
    world.visit(
        peer -> {
          HttpCall call = world.client.newCall(Request.get(peer.url("/")));
          ClientWorld.Running running = world.start(call::execute);
          letRequestArrive();
          call.cancel();
          world.untilOver(running.outcome());
          assertFalse(running.interrupted().get());
        },
        ClientWorld::waitForTheEnd);
  }

  @Test
  void listenersLearnOfTheEndOfACancelledCall() throws Exception {
    List<String> seen = new ArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void callStarted(CallInfo started) {
        seen.add("started");
      }

      @Override
      public void callEnded(CallSummary summary) {
        Throwable failure = Objects.requireNonNull(summary.failure());
        seen.add("ended with " + failure.getClass().getSimpleName());
      }
    };
    try (ClientWorld narrow =
        new ClientWorld(PoolLimits.builder().maxPerRoute(1).build())) {
      narrow.visit(
          peer -> {
            Response holds = narrow.get(peer);
            HttpCall call = narrow.client.newCall(Request.get(peer.url("/")), listener);
            CompletableFuture<Response> future = call.executeAsync();
            narrow.until(() -> narrow.pending() == 1);
            call.cancel();
            narrow.untilOver(future);
            assertEquals(List.of("started", "ended with CallCancelledException"), seen);
            holds.close();
          },
          ClientWorld::withholdContent);
    }
  }
}
