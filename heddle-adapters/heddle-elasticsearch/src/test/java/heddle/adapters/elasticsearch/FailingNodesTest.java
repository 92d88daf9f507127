package heddle.adapters.elasticsearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.transport.TransportException;
import co.elastic.clients.transport.rest5_client.Rest5ClientOptions;
import co.elastic.clients.transport.rest5_client.low_level.RequestOptions;
import heddle.client.settings.Timeouts;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that do not answer, and what is refused. */
@Timeout(60)
final class FailingNodesTest {

  @Test
  void nodesTakeTurns() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      for (int i = 0; i < 2; i++) {
        cluster.node(i).answer("/_count", Cluster.counted(i));
      }
      assertEquals(0, client.count().count());
      assertEquals(1, client.count().count());
      assertEquals(0, client.count().count());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void nextNodeIsTriedIfOneSaysThatItIsUnable(int status) throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).handler(request -> Cluster.json(status, "{}"));
      cluster.node(1).handler(request -> Cluster.indexed("1"));
      for (int i = 0; i < 3; i++) {
        client.index(d -> d.index("looms").id("1").document(Map.of("name", "heddle")));
      }
      assertEquals(1, cluster.node(0).requests().size());
      assertEquals(3, cluster.node(1).requests().size());
      assertEquals("{\"name\":\"heddle\"}", cluster.node(1).takeRequest().text());
    }
  }

  @Test
  void answerThatIsPassedOverGivesItsConnectionBack() throws Exception {
    CountDownLatch ended = new CountDownLatch(2);
    ExchangeListener watch = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.countDown();
      }
    };
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client(builder ->
            builder.transportFactory(HeddleTransport.with(settings -> settings.listener(watch))))) {
      cluster.node(0).answer("/_count", MockResponse.of(503).body(new byte[1_000_000]));
      cluster.node(1).answer("/_count", Cluster.counted(1));
      assertEquals(1, client.count().count());
      ended.await();
    }
  }

  @Test
  void nodeIsNotPausedIfTheCallerWasInterrupted() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).enqueue(MockResponse.fault(MockFault.blackHole()));
      cluster.node(0).handler(request -> Cluster.counted(0));
      cluster.node(1).handler(request -> Cluster.counted(1));
      CompletableFuture<Boolean> flagged = new CompletableFuture<>();
      Thread caller = Thread.ofVirtual().start(() -> {
        try {
          client.count();
          flagged.completeExceptionally(new AssertionError("no interrupt was seen"));
        } catch (InterruptedIOException e) {
          flagged.complete(Thread.currentThread().isInterrupted());
        } catch (IOException e) {
          flagged.completeExceptionally(e);
        }
      });
      cluster.node(0).takeRequest();
      caller.interrupt();
      assertTrue(flagged.get());
      assertEquals(0, cluster.node(1).requests().size());
      assertEquals(1, client.count().count());
      assertEquals(0, client.count().count());
    }
  }

  @Test
  void otherStatusIsTheAnswer() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).answer("/_count", MockResponse.of(500));
      assertEquals(500, assertThrows(TransportException.class, client::count).statusCode());
      assertEquals(0, cluster.node(1).requests().size());
    }
  }

  @Test
  void lastNodeThatCannotIsTheAnswer() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).answer("/_count", MockResponse.of(502));
      cluster.node(1).answer("/_count", MockResponse.of(503));
      assertEquals(503, assertThrows(TransportException.class, client::count).statusCode());
    }
  }

  @Test
  void nextNodeIsTriedIfOneCannotBeReached() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).close();
      cluster.node(1).answer("/_count", Cluster.counted(1));
      assertEquals(1, client.count().count());
      assertEquals(1, client.count().count());
    }
  }

  @Test
  void failureOfTheLastHasThoseBeforeSuppressed() throws Exception {
    try (Cluster cluster = new Cluster(2);
        ElasticsearchClient client = cluster.client()) {
      cluster.node(0).close();
      cluster.node(1).close();
      ConnectException failure = assertThrows(ConnectException.class, client::count);
      assertInstanceOf(ConnectFailedException.class, failure.getCause());
      assertEquals(1, failure.getSuppressed().length);
      assertInstanceOf(ConnectException.class, failure.getSuppressed()[0]);
    }
  }

  @Test
  void silenceIsASocketTimeoutWithHeddlesAsItsCause() throws Exception {
    try (Cluster cluster = new Cluster(1);
        ElasticsearchClient client = cluster.client(
            builder -> builder.transportFactory(HeddleTransport.with(settings -> settings.timeouts(
                Timeouts.builder().silence(Duration.ofMillis(200)).build()))))) {
      cluster.node(0).handler(request -> MockResponse.fault(MockFault.blackHole()));
      IOException failure = assertThrows(SocketTimeoutException.class, client::count);
      assertInstanceOf(DeadlineExceededException.class, failure.getCause());
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("; raise Timeouts.silence by HeddleTransport.with"), message);
    }
  }

  @Test
  void prefixOfAHostStays() throws Exception {
    try (Cluster cluster = new Cluster(1);
        ElasticsearchClient client =
            cluster.client(builder -> builder.host(cluster.node(0).url("/search")))) {
      cluster.node(0).answer("/search/_count", Cluster.counted(4));
      assertEquals(4, client.count().count());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://localhost/",
        "localhost:9200",
        "http://u:secret@localhost:9200/",
        "http://localhost:9200/?a=b"
      })
  void hostThatCannotBeHonouredIsRefusedByNameWithoutItsCredentials(String host) {
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class,
        () -> ElasticsearchClient.of(
            builder -> builder.host(host).transportFactory(HeddleTransport::new)));
    assertTrue(failure.getMessage().startsWith("the host "), failure.getMessage());
    assertTrue(failure.getMessage().contains("localhost"), failure.getMessage());
    assertTrue(!failure.getMessage().contains("secret"), failure.getMessage());
  }

  @Test
  void optionsOfAnotherTransportAreRefusedByName() {
    Rest5ClientOptions others = new Rest5ClientOptions(RequestOptions.DEFAULT, false);
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class,
        () -> ElasticsearchClient.of(builder -> builder
            .host("http://localhost:9200")
            .transportOptions(others)
            .transportFactory(HeddleTransport::new)));
    assertTrue(failure.getMessage().contains("transportOptions"), failure.getMessage());
  }
}
