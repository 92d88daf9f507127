package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tcp.TcpNetwork;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.JerseyClient;
import org.glassfish.jersey.client.JerseyInvocation;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.client.spi.Connector;
import org.glassfish.jersey.inject.hk2.Hk2RequestScope;
import org.glassfish.jersey.internal.inject.ForeignDescriptor;
import org.glassfish.jersey.process.internal.RequestScope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous calls: on virtual threads, and ended when they are cancelled. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
final class AsyncTest {
  @AutoClose
  private final Client client = Carrier.HEDDLE.client();

  /** A server that reports when it got a request, and when its connection has ended. */
  private static final class Silent implements AutoCloseable {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch left = new CountDownLatch(1);
    private final TcpNetwork network = TcpNetwork.create();
    final ScriptedPeer peer;

    Silent(String answer) throws IOException {
      peer = ScriptedPeer.inOrder(network, c -> {
        c.expectHead();
        c.send(answer);
        asked.countDown();
        try {
          c.drain();
        } finally {
          left.countDown();
        }
      });
    }

    @Override
    public void close() {
      peer.close();
      network.close();
    }
  }

  @Test
  void callbackAndEntityRunOnAVirtualThread(MockServer server) throws Exception {
    server.enqueue(MockResponse.ok("done"));
    AtomicReference<Thread> writer = new AtomicReference<>();
    StreamingOutput content = out -> {
      writer.set(Thread.currentThread());
      out.write(1);
    };
    RecordingCallback.Text told = new RecordingCallback.Text();
    var unused = client
        .target(server.url("/"))
        .request()
        .async()
        .post(Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE), told);
    assertEquals("done", told.response());
    assertTrue(told.outcome().thread().isVirtual());
    assertTrue(writer.get().isVirtual());
  }

  @Test
  void cancellingTheFutureEndsACallThatWaitsForItsResponse() throws Exception {
    try (Silent server = new Silent("")) {
      Future<Response> call =
          client.target(server.peer.url("/")).request().async().get();
      server.asked.await();
      assertTrue(call.cancel(true));
      server.left.await();
      assertTrue(call.isCancelled());
    }
  }

  @Test
  void cancellingTheFutureEndsACallWhoseEntityIsRead() throws Exception {
    try (Silent server = new Silent("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")) {
      Future<String> call =
          client.target(server.peer.url("/")).request().async().get(String.class);
      server.asked.await();
      assertTrue(call.cancel(false));
      server.left.await();
    }
  }

  @Test
  void cancelledCallTellsItsCallbackThatItWasCancelled() throws Exception {
    try (Silent server = new Silent("")) {
      RecordingCallback.Whole told = new RecordingCallback.Whole();
      Future<Response> call =
          client.target(server.peer.url("/")).request().async().get(told);
      server.asked.await();
      call.cancel(true);
      assertInstanceOf(CancellationException.class, told.failure());
    }
  }

  @Test
  void entityOfACancelledCallCannotBeRead(MockServer server) throws Exception {
    server.enqueue(MockResponse.ok(new byte[100_000]));
    CompletableFuture<Void> wanted = new CompletableFuture<>();
    JerseyInvocation.Builder request =
        (JerseyInvocation.Builder) client.target(server.url("/")).request();
    try (Response response = request.setCancellable(wanted).get()) {
      InputStream content = response.readEntity(InputStream.class);
      assertEquals(0, content.read());
      wanted.cancel(false);
      IOException failure = assertThrows(IOException.class, content::read);
      assertInstanceOf(CancellationException.class, failure.getCause());
    }
  }

  @Test
  void manyCallsAtOnceAreAnswered(MockServer server) throws Exception {
    server.handler(request -> MockResponse.ok(request.target()));
    List<CompletionStage<String>> calls = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      calls.add(client.target(server.url("/" + i)).request().rx().get(String.class));
    }
    for (int i = 0; i < 300; i++) {
      assertEquals("/" + i, calls.get(i).toCompletableFuture().get());
    }
  }

  @Test
  void nobodyWatchesForCancelsWhenThereAreNoCalls(MockServer server) throws Exception {
    server.handler(request -> MockResponse.ok("x"));
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "x",
          client.target(server.url("/")).request().async().get(String.class).get());
    }
    HeddleConnector connector =
        (HeddleConnector) ((JerseyClient) client).getConfiguration().getConnector();
    while (connector.isWatching()) {
      Thread.onSpinWait();
    }
    // For good, and not just between two looks for cancelled calls.
    for (int i = 0; i < 10_000; i++) {
      assertFalse(connector.isWatching());
    }
  }

  /** Keeps the future that Jersey's client does not look at. */
  private static final class Keeping implements Connector {
    private final Connector connector;
    private final AtomicReference<@Nullable Future<?>> future;

    Keeping(Connector connector, AtomicReference<@Nullable Future<?>> future) {
      this.connector = connector;
      this.future = future;
    }

    @Override
    public ClientResponse apply(ClientRequest request) {
      return connector.apply(request);
    }

    @Override
    public Future<?> apply(ClientRequest request, AsyncConnectorCallback callback) {
      Future<?> begun = connector.apply(request, callback);
      future.set(begun);
      return begun;
    }

    @Override
    public String getName() {
      return connector.getName();
    }

    @Override
    public void close() {
      connector.close();
    }
  }

  /** The future stored since the last one was taken: Jersey starts calls on other threads. */
  private static Future<?> taken(AtomicReference<@Nullable Future<?>> future) {
    Future<?> kept = future.getAndSet(null);
    while (kept == null) {
      Thread.onSpinWait();
      kept = future.getAndSet(null);
    }
    return kept;
  }

  private static Client keeping(AtomicReference<@Nullable Future<?>> future) {
    HeddleConnectorProvider provider = new HeddleConnectorProvider();
    return ClientBuilder.newClient(new ClientConfig()
        .connectorProvider(
            (client, config) -> new Keeping(provider.getConnector(client, config), future)));
  }

  @Test
  void futureOfTheConnectorEndsTheCallTooAndIsDoneWithIt() throws Exception {
    AtomicReference<@Nullable Future<?>> future = new AtomicReference<>();
    Client kept = keeping(future);
    try (Silent server = new Silent("");
        MockServer other = MockServer.start()) {
      other.enqueue(MockResponse.ok("x"));
      assertEquals(
          "x", kept.target(other.url("/")).request().async().get(String.class).get());
      assertInstanceOf(ClientResponse.class, taken(future).get());
      Future<Response> call =
          kept.target(server.peer.url("/")).request().async().get();
      server.asked.await();
      assertTrue(taken(future).cancel(false));
      server.left.await();
      ExecutionException failure = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(ProcessingException.class, failure.getCause());
      assertInstanceOf(CancellationException.class, failure.getCause().getCause());
    } finally {
      kept.close();
    }
  }

  /** Unlike the future that users get, whose cancellation is polled for. */
  @Test
  void futureOfTheConnectorInterruptsItsCallAtOnce() throws Exception {
    AtomicReference<@Nullable Future<?>> future = new AtomicReference<>();
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    CountDownLatch writeOn = new CountDownLatch(1);
    StreamingOutput content = out -> {
      writer.complete(Thread.currentThread());
      while (writeOn.getCount() > 0) {
        LockSupport.parkNanos(1_000_000);
      }
    };
    try (Client kept = keeping(future)) {
      Future<Response> call = kept.target("http://127.0.0.1:1/")
          .request()
          .async()
          .post(Entity.entity(content, MediaType.TEXT_PLAIN_TYPE));
      Thread writing = writer.get();
      assertTrue(taken(future).cancel(false));
      assertTrue(writing.isInterrupted());
      writeOn.countDown();
      assertThrows(ExecutionException.class, call::get);
    }
  }

  @ParameterizedTest
  @EnumSource
  void objectsOfTheRequestScopeAreReleasedAfterTheCall(Carrier carrier, MockServer server)
      throws Exception {
    CountDownLatch givenUp = new CountDownLatch(1);
    ClientRequestFilter keeping = context -> {
      RequestScope scope =
          ((ClientRequest) context).getInjectionManager().getInstance(RequestScope.class);
      ForeignDescriptor descriptor = ForeignDescriptor.wrap("kept", kept -> givenUp.countDown());
      ((Hk2RequestScope.Instance) scope.current()).put(descriptor, "kept");
    };
    try (Client other = carrier.client()) {
      server.enqueue(MockResponse.ok("x"));
      WebTarget target = other.target(server.url("/")).register(keeping);
      assertEquals("x", target.request().async().get(String.class).get());
      givenUp.await();
    }
  }
}
