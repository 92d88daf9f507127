package heddle.adapters.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** LangChain4j's streams of events. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
final class EventStreamTest {
  /** Records its events. */
  private static class Diary implements ServerSentEventListener {
    final List<String> notes = new CopyOnWriteArrayList<>();
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    final CountDownLatch ended = new CountDownLatch(1);
    volatile Throwable failure;

    private void note(String text) {
      threads.add(Thread.currentThread());
      notes.add(text);
    }

    @Override
    public void onOpen(SuccessfulHttpResponse response) {
      note("open " + response.statusCode() + " " + response.body());
    }

    @Override
    public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
      note(event.event() + "=" + event.data());
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      note("error");
      ended.countDown();
    }

    @Override
    public void onClose() {
      note("close");
      ended.countDown();
    }

    Diary await() throws InterruptedException {
      ended.await();
      return this;
    }
  }

  private static HttpRequest get(String url) {
    return HttpRequest.builder().method(HttpMethod.GET).url(url).build();
  }

  private static Diary stream(HeddleHttpClient client, String url) throws Exception {
    Diary diary = new Diary();
    client.execute(get(url), diary);
    return diary.await();
  }

  @Test
  void eventsAreDeliveredInOrderOnOneVirtualThread(MockServer server) throws Exception {
    try (HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      server.enqueue(
          MockResponse.ok("event: city\ndata: Berlin\n\ndata: Paris\n\n").chunked());
      Diary diary = stream(client, server.url("/"));
      assertEquals(List.of("open 200 null", "city=Berlin", "null=Paris", "close"), diary.notes);
      assertEquals(1, diary.threads.size());
      assertTrue(diary.threads.iterator().next().isVirtual());
    }
  }

  @Test
  void eventIsDeliveredBeforeTheNextOneArrives() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: 1\n\n");
          told.await();
          c.send("data: 2\n\n");
        });
        HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      Diary diary = new Diary() {
        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
          super.onEvent(event, context);
          told.countDown();
        }
      };
      client.execute(get(peer.url("/")), diary);
      diary.await();
      assertEquals(List.of("open 200 null", "null=1", "null=2", "close"), diary.notes);
    }
  }

  @Test
  void otherStatusIsAnErrorWithTheContent(MockServer server) throws Exception {
    try (HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      server.enqueue(MockResponse.of(429).body("too fast"));
      Diary diary = stream(client, server.url("/"));
      assertEquals(List.of("error"), diary.notes);
      HttpException refused = assertInstanceOf(HttpException.class, diary.failure);
      assertEquals(429, refused.statusCode());
      assertEquals("too fast", refused.getMessage());
    }
  }

  @Test
  void silenceIsATimeoutBeforeTheHeadAndAfter(MockServer server) throws Exception {
    try (HeddleHttpClient client =
        new HeddleHttpClientBuilder().readTimeout(Duration.ofMillis(200)).build()) {
      server.enqueue(MockResponse.fault(MockFault.blackHole()));
      server.enqueue(MockResponse.ok("data: 1\n\ndata: 2\n\n")
          .with(MockFault.slowBody(9, Duration.ofHours(1))));
      assertInstanceOf(TimeoutException.class, stream(client, server.url("/")).failure);
      Diary later = stream(client, server.url("/"));
      assertInstanceOf(TimeoutException.class, later.failure);
      assertEquals("error", later.notes.getLast());
    }
  }

  @Test
  void streamThatIsLostEndsOnce(MockServer server) throws Exception {
    Diary diary;
    try (HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      server.enqueue(MockResponse.ok("data: 1\n\ndata: 2\n\n").with(MockFault.cutInBody(9)));
      diary = stream(client, server.url("/"));
      assertInstanceOf(IOException.class, diary.failure);
    }
    // The client was closed when the thread of the stream was done with it.
    assertEquals(List.of("open 200 null", "null=1", "error"), diary.notes);
  }

  @Test
  void streamThatIsCancelledEndsAndItsConnectionIsClosed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: 1\n\n");
          c.expectEnd();
          closed.countDown();
        });
        HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      Diary diary = new Diary() {
        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
          super.onEvent(event, context);
          context.parsingHandle().cancel();
        }
      };
      client.execute(get(peer.url("/")), diary);
      diary.await();
      closed.await();
      assertEquals(List.of("open 200 null", "null=1", "close"), diary.notes);
    }
  }

  @Test
  void exceptionsOfAListenerDoNotEndTheStream(MockServer server) throws Exception {
    try (HeddleHttpClient client = new HeddleHttpClientBuilder().build()) {
      server.enqueue(MockResponse.ok("data: 1\n\ndata: 2\n\n"));
      Diary diary = new Diary() {
        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
          super.onEvent(event, context);
          throw new IllegalStateException("a listener that fails");
        }
      };
      client.execute(get(server.url("/")), diary);
      diary.await();
      assertEquals(List.of("open 200 null", "null=1", "null=2", "close"), diary.notes);
    }
  }
}
