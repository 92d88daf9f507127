package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpResponse;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request may be aborted by any thread at any time. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class CancelTest {
  @ParameterizedTest
  @EnumSource
  void whileTheHeadIsAwaited(Stack stack, MockServer server) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Stack.Running running = stack.start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("late");
      });
      HttpGet get = new HttpGet(server.url("/"));
      Future<Boolean> call = callers.submit(() -> {
        RequestFailedException aborted = assertThrows(
            RequestFailedException.class, () -> running.client().execute(get, response -> null));
        assertEquals("Request aborted", aborted.getMessage());
        return Thread.interrupted();
      });
      asked.await();
      get.abort();
      assertFalse(call.get());
      assertEquals(0, running.pool().getTotalStats().getLeased());
      over.countDown();
      assertEquals(1, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own throws a CancellationException here
  void whileAConnectionIsAwaited(Stack stack, MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 1;
    try (Stack.Running running = stack.start(setup);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpRoute route = new HttpRoute(new HttpHost("http", "127.0.0.1", server.port()));
      ConnectionEndpoint holder = running
          .manager()
          .lease("id", route, null, null)
          .get(org.apache.hc.core5.util.Timeout.DISABLED);
      HttpGet get = new HttpGet(server.url("/"));
      Future<?> call = callers.submit(() -> running.client().execute(get, response -> null));
      while (running.pool().getTotalStats().getPending() == 0) {
        Thread.onSpinWait();
      }
      get.abort();
      ExecutionException aborted = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(RequestFailedException.class, aborted.getCause());
      running.manager().release(holder, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getTotalStats().getLeased());
      assertEquals(0, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("deprecation") // who aborts in the content needs the response before its end
  void whileTheContentIsRead(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      HttpGet get = new HttpGet(server.url("/"));
      CountDownLatch begun = new CountDownLatch(1);
      Future<?> call = callers.submit(() -> {
        try (CloseableHttpResponse response = running.client().execute(get)) {
          begun.countDown();
          return EntityUtils.toString(response.getEntity());
        }
      });
      begun.await();
      get.abort();
      ExecutionException aborted = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(SocketException.class, aborted.getCause());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whileTheEntityIsWritten(Stack stack, MockServer server) throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Stack.Running running = stack.start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpPost post = new HttpPost(server.url("/"));
      post.setEntity(new EntityTemplate(-1, null, null, sink -> {
        sink.write(new byte[100_000]);
        sink.flush();
        writing.countDown();
        try {
          over.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        sink.write(new byte[10_000_000]);
      }));
      Future<?> call = callers.submit(() -> running.client().execute(post, response -> null));
      writing.await();
      post.abort();
      over.countDown();
      ExecutionException aborted = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(IOException.class, aborted.getCause());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void beforeItBegins(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      HttpGet get = new HttpGet(server.url("/"));
      get.abort();
      assertThrows(Exception.class, () -> running.client().execute(get, response -> null));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }
}
