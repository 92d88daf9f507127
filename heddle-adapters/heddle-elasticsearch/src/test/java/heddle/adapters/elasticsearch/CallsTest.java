package heddle.adapters.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import co.elastic.clients.elasticsearch.ElasticsearchAsyncClient;
import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import co.elastic.clients.elasticsearch.core.CountResponse;
import co.elastic.clients.elasticsearch.core.IndexResponse;
import co.elastic.clients.transport.TransportException;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of Elasticsearch's client to one node. */
@Timeout(60)
final class CallsTest {
  private static final Map<String, String> LOOM = Map.of("name", "heddle");

  @AutoClose
  private Cluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new Cluster(1);
  }

  private RecordedRequest sent() throws InterruptedException {
    return cluster.node(0).takeRequest();
  }

  @Test
  void documentIsIndexed() throws Exception {
    cluster.node(0).enqueue(Cluster.indexed("a b"));
    try (ElasticsearchClient client = cluster.client(b -> b.usernameAndPassword("u", "p"))) {
      IndexResponse response = client.index(i -> i.index("looms").id("a b").document(LOOM));
      assertEquals("a b", response.id());
    }
    RecordedRequest request = sent();
    assertEquals("PUT", request.method());
    assertEquals("/looms/_doc/a%20b", request.target());
    assertEquals("{\"name\":\"heddle\"}", request.text());
    assertEquals("Basic dTpw", request.header("Authorization"));
    assertTrue(request.header("Content-Type").startsWith("application/vnd.elasticsearch+json"));
  }

  @Test
  void linesOfABulkRequestAreSentInOneContent() throws Exception {
    cluster.node(0).enqueue(Cluster.json(200, "{\"took\":1,\"errors\":false,\"items\":[]}"));
    try (ElasticsearchClient client = cluster.client()) {
      BulkResponse response =
          client.bulk(b -> b.operations(o -> o.index(i -> i.index("looms").document(LOOM)))
              .operations(o -> o.delete(d -> d.index("looms").id("7"))));
      assertFalse(response.errors());
    }
    RecordedRequest request = sent();
    assertEquals(3, request.text().lines().count());
    assertEquals(Integer.toString(request.body().length), request.header("Content-Length"));
  }

  @Test
  void headIsAnsweredByItsStatusAndTheConnectionIsUsedAgain() throws Exception {
    cluster.node(0).enqueue(Cluster.json(200, "unseen"));
    cluster.node(0).enqueue(Cluster.json(404, "unseen"));
    try (ElasticsearchClient client = cluster.client()) {
      assertTrue(client.exists(e -> e.index("looms").id("1")).value());
      assertFalse(client.exists(e -> e.index("looms").id("1")).value());
    }
    assertEquals(1, cluster.node(0).connections());
  }

  @Test
  void errorIsTheClientsException() throws Exception {
    cluster
        .node(0)
        .enqueue(Cluster.json(
            400,
            "{\"error\":{\"type\":\"parsing_exception\",\"reason\":\"no loom\"},\"status\":400}"));
    try (ElasticsearchClient client = cluster.client()) {
      ElasticsearchException failure =
          assertThrows(ElasticsearchException.class, () -> client.count(c -> c.index("looms")));
      assertEquals(400, failure.status());
      assertEquals("no loom", failure.error().reason());
    }
  }

  @Test
  void parametersAndFieldsOfOptionsTakeTheirPlace() throws Exception {
    cluster.node(0).enqueue(Cluster.counted(3));
    try (ElasticsearchClient client = cluster.client(b -> b.token("old"))) {
      CountResponse response = client
          .withTransportOptions(o -> o.setParameter("q", "warp weft&+")
              .setHeader("Authorization", "Bearer new")
              .setHeader("X-Tenant", "loom"))
          .count(c -> c.index("looms").q("unseen"));
      assertEquals(3, response.count());
    }
    RecordedRequest request = sent();
    assertEquals("/looms/_count?q=warp%20weft%26%2B", request.target());
    assertEquals("Bearer new", request.header("Authorization"));
    assertEquals("loom", request.header("X-Tenant"));
  }

  @Test
  void contentIsCompressedBothWaysIfConfigured() throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(coded)) {
      out.write("{\"took\":1,\"errors\":false,\"items\":[]}".getBytes(UTF_8));
    }
    cluster
        .node(0)
        .enqueue(
            Cluster.json(200, "").body(coded.toByteArray()).header("Content-Encoding", "gzip"));
    try (ElasticsearchClient client = cluster.client(b -> b.apiKey("key").useCompression(true))) {
      assertFalse(client
          .bulk(b -> b.operations(o -> o.delete(d -> d.index("looms").id("7"))))
          .errors());
    }
    RecordedRequest request = sent();
    assertEquals("ApiKey key", request.header("Authorization"));
    assertEquals("gzip", request.header("Content-Encoding"));
    assertTrue(request.header("Accept-Encoding").contains("gzip"));
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(request.body()))) {
      assertTrue(new String(in.readAllBytes(), UTF_8).contains("\"_id\":\"7\""));
    }
  }

  @Test
  void nothingIsCompressedOtherwise() throws Exception {
    cluster.node(0).enqueue(Cluster.counted(1));
    try (ElasticsearchClient client = cluster.client()) {
      client.count();
    }
    RecordedRequest request = sent();
    assertNull(request.header("Accept-Encoding"));
    assertNull(request.header("Content-Encoding"));
    assertNull(request.header("Authorization"));
  }

  @Test
  void warningsFailTheCallIfTheHandlerSaysSo() throws Exception {
    MockResponse warned =
        Cluster.counted(1).header("Warning", "299 Elasticsearch-9.3.0 \"looms are deprecated\"");
    cluster.node(0).enqueue(warned);
    cluster.node(0).enqueue(warned);
    try (ElasticsearchClient client = cluster.client()) {
      client.count();
      TransportException failure = assertThrows(TransportException.class, () -> client
          .withTransportOptions(o -> o.onWarnings(w -> w.contains("looms are deprecated")))
          .count());
      assertTrue(failure.getMessage().contains("looms are deprecated"), failure.getMessage());
    }
  }

  @Test
  void asynchronousCallIsDecodedOnAVirtualThread() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    cluster.node(0).handler(request -> {
      mayAnswer.await();
      return Cluster.counted(5);
    });
    try (ElasticsearchClient client = cluster.client()) {
      CompletableFuture<Boolean> virtual = new CompletableFuture<>();
      CompletableFuture<CountResponse> answer = new ElasticsearchAsyncClient(client._transport())
          .count()
          .whenComplete(
              (response, failure) -> virtual.complete(Thread.currentThread().isVirtual()));
      mayAnswer.countDown();
      assertEquals(5, answer.get().count());
      assertTrue(virtual.get());
    }
  }

  @Test
  void cancellingTheFutureAbortsTheCall() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    cluster.node(0).handler(request -> {
      asked.countDown();
      return MockResponse.fault(MockFault.blackHole());
    });
    ExchangeListener watch = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.countDown();
      }
    };
    try (ElasticsearchClient client = cluster.client(
        b -> b.transportFactory(HeddleTransport.with(settings -> settings.listener(watch))))) {
      CompletableFuture<CountResponse> answer =
          new ElasticsearchAsyncClient(client._transport()).count();
      asked.await();
      answer.cancel(true);
      ended.await();
    }
  }

  @Test
  void badFieldFailsTheFutureAndNotTheCaller() throws Exception {
    try (ElasticsearchClient client = cluster.client()) {
      CompletableFuture<CountResponse> answer = new ElasticsearchAsyncClient(client._transport())
          .withTransportOptions(o -> o.setHeader("X-Bad", "a\nb"))
          .count();
      assertInstanceOf(
          IllegalArgumentException.class,
          assertThrows(ExecutionException.class, answer::get).getCause());
    }
  }
}
