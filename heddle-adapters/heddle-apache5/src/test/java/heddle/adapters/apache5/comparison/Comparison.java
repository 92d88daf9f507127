package heddle.adapters.apache5.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.jspecify.annotations.Nullable;

/**
 * Makes the same visit to the same server over Apache's own connections and over Heddle's: what the
 * server receives and what the caller gets must be the same.
 */
final class Comparison {
  private Comparison() {}

  /** How a client is made. */
  interface Setup {
    CloseableHttpClient client(HttpClientConnectionManager connections);
  }

  /** What is done with a client; what it returns is compared. */
  interface Visit {
    Object by(Visitor visitor) throws Exception;
  }

  /** A client and its target. */
  record Visitor(CloseableHttpClient client, HttpClientConnectionManager manager, HttpHost host) {
    String url(String path) {
      return host.toURI() + path;
    }

    /** Describes the response, or the exception. */
    String send(ClassicHttpRequest request) {
      try {
        return client.execute(request, Comparison::described);
      } catch (IOException | RuntimeException e) {
        return thrown(e);
      }
    }

    /** The same for a request without a target. */
    String sendToHost(ClassicHttpRequest request) {
      try {
        return client.execute(host, request, Comparison::described);
      } catch (IOException | RuntimeException e) {
        return thrown(e);
      }
    }

    int leased() {
      return ((ConnPoolControl<?>) manager).getTotalStats().getLeased();
    }
  }

  record Outcome(List<RawServer.Heard> heard, String told) {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(told);
      for (RawServer.Heard each : heard) {
        text.append('\n').append(each);
      }
      return text.toString();
    }
  }

  static Setup with(java.util.function.UnaryOperator<HttpClientBuilder> more) {
    return connections ->
        more.apply(HttpClients.custom().setConnectionManager(connections)).build();
  }

  /**
   * Compares two visits.
   *
   * @param told must occur in what the caller gets, so that the test checks what it is about
   */
  static void same(String told, RawServer.Answers answers, Visit visit) throws Exception {
    same(told, with(builder -> builder), answers, visit);
  }

  static void same(String told, Setup setup, RawServer.Answers answers, Visit visit)
      throws Exception {
    same(told, ConnectionConfig.DEFAULT, setup, answers, visit);
  }

  static void same(
      String told, ConnectionConfig config, Setup setup, RawServer.Answers answers, Visit visit)
      throws Exception {
    Outcome stock = outcome(Carrier.STOCK, config, setup, answers, visit);
    assertTrue(stock.told.contains(told), stock::toString);
    assertEquals(
        stock.toString(), outcome(Carrier.HEDDLE, config, setup, answers, visit).toString());
  }

  private static Outcome outcome(
      Carrier carrier, ConnectionConfig config, Setup setup, RawServer.Answers answers, Visit visit)
      throws Exception {
    HttpClientConnectionManager manager = carrier.manager(config);
    try (RawServer server = new RawServer(answers);
        CloseableHttpClient client = setup.client(manager)) {
      HttpHost host = new HttpHost("http", "localhost", server.port());
      Visitor visitor = new Visitor(client, manager, host);
      String told = String.valueOf(visit.by(visitor)).replace(":" + server.port(), ":PORT");
      assertEquals(0, visitor.leased(), "leased after that");
      return new Outcome(List.copyOf(server.heard), told);
    }
  }

  // ---- descriptions

  static String described(ClassicHttpResponse response) throws IOException {
    return head(response) + " " + described(response.getEntity());
  }

  static String head(HttpResponse response) {
    return response.getVersion() + " " + response.getCode() + " " + response.getReasonPhrase() + " "
        + Arrays.toString(response.getHeaders());
  }

  private static String described(@Nullable HttpEntity entity) throws IOException {
    if (entity == null) {
      return "no entity";
    }
    String before = entity.getContentLength() + " chunked " + entity.isChunked() + " repeatable "
        + entity.isRepeatable() + " type " + entity.getContentType() + " encoding "
        + entity.getContentEncoding();
    byte[] content = EntityUtils.toByteArray(entity);
    return before
        + (content == null
            ? " nothing"
            : " content " + new String(content, StandardCharsets.ISO_8859_1));
  }

  /** What callers can catch, including the cause if Apache's client wraps it. */
  static String thrown(Throwable e) {
    String cause = e.getCause() == null ? "" : e.getCause().getClass().getName();
    boolean wrapped =
        e instanceof ClientProtocolException && cause.startsWith("org.apache.hc.client5");
    return "threw " + e.getClass().getName() + (wrapped ? " of " + cause : "");
  }
}
