package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.thrown;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.jspecify.annotations.Nullable;

/** What {@link Comparison} does, with the asynchronous client. */
final class AsyncComparison {
  private AsyncComparison() {}

  /** What is done with a client; what it returns is compared. */
  interface Visit {
    Object by(Visitor visitor) throws Exception;
  }

  /** A client and its target. */
  record Visitor(
      CloseableHttpAsyncClient client, AsyncClientConnectionManager manager, HttpHost host) {
    String url(String path) {
      return host.toURI() + path;
    }

    String get(String path) throws InterruptedException {
      return send(path, null);
    }

    String send(String path, @Nullable AsyncEntityProducer content) throws InterruptedException {
      BasicRequestBuilder request = content == null
          ? BasicRequestBuilder.get(url(path))
          : BasicRequestBuilder.post(url(path));
      String told = told(client.execute(
          new BasicRequestProducer(request.build(), content),
          SimpleResponseConsumer.create(),
          null));
      awaitRelease();
      return told;
    }

    void awaitRelease() {
      while (leased() > 0) {
        Thread.onSpinWait(); // The endpoint is released right after the future was completed.
      }
    }

    int leased() {
      return ((ConnPoolControl<?>) manager).getTotalStats().getLeased();
    }
  }

  /** Describes the response, or the exception. */
  static String told(Future<SimpleHttpResponse> call) throws InterruptedException {
    try {
      SimpleHttpResponse response = call.get();
      byte[] content = response.getBodyBytes();
      return Comparison.head(response) + " type " + response.getContentType() + " content "
          + (content == null ? "nothing" : new String(content, ISO_8859_1));
    } catch (ExecutionException e) {
      return thrown(e.getCause());
    }
  }

  /**
   * Compares two visits.
   *
   * @param told must occur in what the caller gets, so that the test checks what it is about
   */
  static void same(String told, RawServer.Answers answers, Visit visit) throws Exception {
    same(told, builder -> builder, answers, visit);
  }

  static void same(
      String told,
      UnaryOperator<HttpAsyncClientBuilder> setup,
      RawServer.Answers answers,
      Visit visit)
      throws Exception {
    Comparison.Outcome stock = outcome(Carrier.STOCK, setup, answers, visit);
    assertTrue(stock.told().contains(told), stock::toString);
    assertEquals(
        stock.toString(), outcome(Carrier.HEDDLE, setup, answers, visit).toString());
  }

  private static Comparison.Outcome outcome(
      Carrier carrier,
      UnaryOperator<HttpAsyncClientBuilder> setup,
      RawServer.Answers answers,
      Visit visit)
      throws Exception {
    AsyncClientConnectionManager manager = carrier.asyncManager(ConnectionConfig.DEFAULT);
    HttpAsyncClientBuilder builder = HttpAsyncClients.custom().setConnectionManager(manager);
    try (RawServer server = new RawServer(answers);
        CloseableHttpAsyncClient client = setup.apply(builder).build()) {
      client.start();
      Visitor visitor =
          new Visitor(client, manager, new HttpHost("http", "localhost", server.port()));
      String told = String.valueOf(visit.by(visitor)).replace(":" + server.port(), ":PORT");
      visitor.awaitRelease();
      return new Comparison.Outcome(List.copyOf(server.heard), told);
    }
  }
}
