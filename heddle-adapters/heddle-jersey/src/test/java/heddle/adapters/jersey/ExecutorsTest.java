package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.client.ClientAsyncExecutor;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.spi.ThreadPoolExecutorProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The threads of asynchronous calls, with and without settings of the user. */
@Timeout(60)
final class ExecutorsTest {
  private static final String JERSEYS = "jersey-client-async-executor-";

  /** Of one call: where its filters ran, its entity was written, and its callback ran. */
  private record Threads(Thread begun, Thread writer, Thread told) {
    static Threads of(Client client) throws Exception {
      AtomicReference<Thread> begun = new AtomicReference<>();
      AtomicReference<Thread> writer = new AtomicReference<>();
      ClientRequestFilter filter = context -> begun.set(Thread.currentThread());
      StreamingOutput content = out -> {
        writer.set(Thread.currentThread());
        out.write(1);
      };
      RecordingCallback.Text told = new RecordingCallback.Text();
      try (MockServer server = MockServer.start()) {
        server.enqueue(MockResponse.ok("done"));
        var unused = client
            .target(server.url("/"))
            .register(filter)
            .request()
            .async()
            .post(Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE), told);
        assertEquals("done", told.response());
      }
      return new Threads(begun.get(), writer.get(), told.outcome().thread());
    }

    void assertOne() {
      assertSame(begun, writer);
      assertSame(begun, told);
    }
  }

  @Test
  void callsHaveAVirtualThreadEachThatIsCalledLikeTheOneTheyBeginOn() throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      Threads threads = Threads.of(client);
      assertFalse(threads.begun().isVirtual());
      assertNotSame(threads.begun(), threads.writer());
      assertSame(threads.writer(), threads.told());
      assertTrue(threads.told().isVirtual());
      assertTrue(threads.told().getName().startsWith(JERSEYS), threads::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsStayOnTheThreadsOfTheExecutorThatAClientIsGiven(Carrier carrier) throws Exception {
    try (ExecutorService own = Executors.newSingleThreadExecutor(task -> new Thread(task, "loom"));
        Client client = ClientBuilder.newBuilder()
            .withConfig(carrier.config())
            .executorService(own)
            .build()) {
      Threads threads = Threads.of(client);
      assertEquals("loom", threads.begun().getName());
      threads.assertOne();
    }
  }

  /** An executor that Jersey gets from a provider. */
  @ClientAsyncExecutor
  private static final class Looms extends ThreadPoolExecutorProvider {
    Looms() {
      super("loom");
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsStayOnTheThreadsOfTheExecutorThatAProviderHas(Carrier carrier) throws Exception {
    try (Client client = carrier.client()) {
      client.register(new Looms());
      Threads threads = Threads.of(client);
      assertEquals("loom-0", threads.begun().getName());
      threads.assertOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsStayOnJerseysThreadsIfTheirNumberIsSet(Carrier carrier) throws Exception {
    try (Client client = carrier.client()) {
      client.property(ClientProperties.ASYNC_THREADPOOL_SIZE, 1);
      Threads threads = Threads.of(client);
      assertTrue(threads.begun().getName().startsWith(JERSEYS), threads::toString);
      threads.assertOne();
    }
  }

  @Test
  void numberThatMeansAnyChangesNothing() throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      client.property(ClientProperties.ASYNC_THREADPOOL_SIZE, 0);
      assertTrue(Threads.of(client).told().isVirtual());
    }
  }

  @Test
  void callsStayOnJerseysThreadsIfTheseAreVirtual() throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      client.property(CommonProperties.USE_VIRTUAL_THREADS, true);
      Threads threads = Threads.of(client);
      assertTrue(threads.begun().isVirtual());
      threads.assertOne();
    }
  }

  // ---- ends of calls on threads of users

  /** Calls a silent server on a thread of the user. */
  private interface Scene {
    void play(Client client, RecordingCallback.Whole told, Future<Response> call) throws Exception;
  }

  private static void withCallThatWaits(Scene scene) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (ExecutorService own = Executors.newSingleThreadExecutor();
        Client client = ClientBuilder.newBuilder()
            .withConfig(Carrier.HEDDLE.config())
            .executorService(own)
            .build()) {
      ScriptedPeer.visit(
          c -> {
            c.expectHead();
            asked.countDown();
            c.drain();
          },
          peer -> {
            RecordingCallback.Whole told = new RecordingCallback.Whole();
            Future<Response> call =
                client.target(peer.url("/")).request().async().get(told);
            asked.await();
            scene.play(client, told, call);
          });
    }
  }

  @Test
  void cancellingTheFutureEndsACallOnAThreadOfUsers() throws Exception {
    withCallThatWaits((client, told, call) -> {
      assertTrue(call.cancel(true));
      assertInstanceOf(CancellationException.class, told.failure());
      assertFalse(told.outcome().interrupted());
    });
  }

  @Test
  void closingTheClientEndsACallOnAThreadOfUsers() throws Exception {
    withCallThatWaits((client, told, call) -> {
      client.close();
      String message = String.valueOf(told.failure().getMessage());
      assertTrue(message.contains("the client was closed before the call ended"), message);
      assertFalse(told.outcome().interrupted());
    });
  }

  /** Reports, after each task, whether its thread was left interrupted. */
  private static final class Watched extends ThreadPoolExecutor {
    final CompletableFuture<Boolean> leftInterrupted = new CompletableFuture<>();

    Watched() {
      super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
      leftInterrupted.complete(Thread.currentThread().isInterrupted());
    }
  }

  @Test
  void threadOfUsersIsNotLeftInterruptedByACallThatWasCancelledAtItsEnd() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    ClientResponseFilter filter = (request, response) -> {
      answered.countDown();
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
    };
    try (Watched own = new Watched();
        Client client = ClientBuilder.newBuilder()
            .withConfig(Carrier.HEDDLE.config())
            .executorService(own)
            .register(filter)
            .build();
        MockServer server = MockServer.start()) {
      server.enqueue(MockResponse.ok("x"));
      Future<Response> call = client.target(server.url("/")).request().async().get();
      answered.await();
      assertTrue(call.cancel(true));
      assertFalse(own.leftInterrupted.get());
    }
  }
}
