package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Asynchronous calls whose client is closed: all callbacks run, and nothing is logged. */
@Timeout(60)
@Isolated("records uncaught exceptions of threads")
final class ClosingTest {
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private Thread.@Nullable UncaughtExceptionHandler before;

  @BeforeEach
  void listen() {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
  }

  @AfterEach
  void nothingIsLeftUncaught() {
    Thread.setDefaultUncaughtExceptionHandler(before);
    assertEquals(List.of(), uncaught);
  }

  /** Sends a request to a server that does not respond, or not completely. */
  private interface Scene {
    void play(String url, CountDownLatch asked) throws Exception;
  }

  private static void withServerThatSays(String answer, Scene scene) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          c.send(answer);
          asked.countDown();
          c.drain();
        },
        peer -> scene.play(peer.url("/"), asked));
  }

  private static void assertClosed(Throwable told) {
    assertInstanceOf(ProcessingException.class, told);
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("the client was closed before the call ended"), message);
  }

  @Test
  void callThatWaitsForItsResponseFailsWhenItsClientIsClosed() throws Exception {
    withServerThatSays("", (url, asked) -> {
      Client client = Carrier.HEDDLE.client();
      RecordingCallback.Whole told = new RecordingCallback.Whole();
      Future<Response> call = client.target(url).request().async().get(told);
      asked.await();
      client.close();
      assertTrue(told.isDone(), "closing a client waits for all callbacks");
      assertClosed(told.failure());
      assertFalse(told.outcome().interrupted());
      ExecutionException failure = assertThrows(ExecutionException.class, call::get);
      assertClosed(failure.getCause());
    });
  }

  @Test
  void callbacksOfAllTargetsOfAClientRunWhicheverIsClosedFirst() throws Exception {
    withServerThatSays("", (url, asked) -> {
      Client client = Carrier.HEDDLE.client();
      RecordingCallback.Whole first = new RecordingCallback.Whole();
      RecordingCallback.Whole second = new RecordingCallback.Whole();
      var unused = client.target(url).request().async().get(first);
      asked.await();
      withServerThatSays("", (other, otherAsked) -> {
        WebTarget own = client.target(other).property("own", true);
        var unusedToo = own.request().async().get(second);
        otherAsked.await();
        client.close();
        assertClosed(first.failure());
        assertClosed(second.failure());
        assertFalse(first.outcome().interrupted() || second.outcome().interrupted());
      });
    });
  }

  @Test
  void callsWhoseEntitiesAreReadFail() throws Exception {
    String partly = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
    withServerThatSays(partly, (url, asked) -> {
      Client client = Carrier.HEDDLE.client();
      RecordingCallback.Text first = new RecordingCallback.Text();
      RecordingCallback.Text second = new RecordingCallback.Text();
      var unused = client.target(url).request().async().get(first);
      asked.await();
      withServerThatSays(partly, (other, otherAsked) -> {
        var unusedToo =
            client.target(other).property("own", true).request().async().get(second);
        otherAsked.await();
        client.close();
        assertInstanceOf(ProcessingException.class, first.failure());
        assertInstanceOf(ProcessingException.class, second.failure());
        assertFalse(first.outcome().interrupted() || second.outcome().interrupted());
      });
    });
  }

  @Test
  void callbackMayCloseItsOwnClient() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok("x"));
      Client client = Carrier.HEDDLE.client();
      RecordingCallback.Text told = new RecordingCallback.Text(client::close);
      var unused = client.target(server.url("/")).request().async().get(told);
      assertEquals("x", told.response());
    }
  }

  @Test
  void callbackThatDoesNotEndDoesNotBlockClosingItsClient() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok("x"));
      Client client = Carrier.HEDDLE.client();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      RecordingCallback.Text told = new RecordingCallback.Text(() -> {
        begun.countDown();
        end.await();
      });
      var unused = client.target(server.url("/")).request().async().get(told);
      begun.await();
      client.close();
      end.countDown();
      assertFalse(told.outcome().interrupted());
      assertEquals("x", told.response());
    }
  }

  /** Of the two connectors the one that is closed first still has connections. */
  @Test
  void responseAfterItsClientWasClosedIsNotReported() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok("x"));
      Client client = Carrier.HEDDLE.client();
      CountDownLatch writing = new CountDownLatch(2);
      StreamingOutput content = out -> {
        writing.countDown();
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          // Writers of users need not care.
        }
      };
      RecordingCallback.Text first = new RecordingCallback.Text();
      RecordingCallback.Text second = new RecordingCallback.Text();
      String url = server.url("/");
      Entity<StreamingOutput> entity = Entity.entity(content, MediaType.TEXT_PLAIN_TYPE);
      var unused = client.target(url).request().async().post(entity, first);
      WebTarget own = client.target(url).property("own", true);
      var unusedToo = own.request().async().post(entity, second);
      writing.await();
      client.close();
      assertClosed(first.failure());
      assertClosed(second.failure());
    }
  }

  /** Jersey runs no more callbacks by then: only the future can be ended. */
  @Test
  void callThatOutlivesItsClosedClientIsCancelled() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok("x"));
      Client client = Carrier.HEDDLE.client();
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch closed = new CountDownLatch(1);
      StreamingOutput content = out -> {
        writing.countDown();
        boolean waiting = true;
        while (waiting) {
          try {
            closed.await();
            waiting = false;
          } catch (InterruptedException e) {
            // Writers of users need not care.
          }
        }
      };
      Future<Response> call = client
          .target(server.url("/"))
          .request()
          .async()
          .post(Entity.entity(content, MediaType.TEXT_PLAIN_TYPE));
      writing.await();
      client.close();
      closed.countDown();
      assertThrows(CancellationException.class, call::get);
    }
  }

  @Test
  void closingDoesNotWaitForReaders() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
          // The rest is sent only to those whose clients wait for them.
          if (!closed.await(2, TimeUnit.SECONDS)) {
            c.send("def");
          }
          c.drain();
        },
        peer -> {
          Client client = Carrier.HEDDLE.client();
          Response response = client.target(peer.url("/")).request().get();
          InputStream content = response.readEntity(InputStream.class);
          assertEquals('a', content.read());
          CompletableFuture<Integer> rest = new CompletableFuture<>();
          Thread reader = Thread.startVirtualThread(() -> {
            try {
              rest.complete(content.readAllBytes().length);
            } catch (IOException e) {
              rest.completeExceptionally(e);
            }
          });
          client.close();
          closed.countDown();
          reader.join();
          assertTrue(rest.isCompletedExceptionally(), () -> "read " + rest.join());
        });
  }

  @Test
  void callbackOfACancelIsNotInterrupted() throws Exception {
    withServerThatSays("", (url, asked) -> {
      try (Client client = Carrier.HEDDLE.client()) {
        // Several times the interval of the watch for cancelled calls.
        RecordingCallback.Whole told = new RecordingCallback.Whole(() -> {
          var unused = new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
        });
        Future<Response> call = client.target(url).request().async().get(told);
        asked.await();
        call.cancel(true);
        assertInstanceOf(CancellationException.class, told.failure());
        assertFalse(told.outcome().interrupted());
      }
    });
  }
}
