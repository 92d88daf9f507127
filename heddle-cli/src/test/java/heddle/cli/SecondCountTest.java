package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.bench.account.Agreement;
import heddle.bench.account.Bookkeeper;
import heddle.bench.account.ServerCounts;
import heddle.bench.client.HttpTarget;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.drivers.heddle.HeddleSettings;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import heddle.bench.routes.ExperimentRoutes;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.http.Request;
import heddle.load.schedule.Segment;
import heddle.server.HttpServer;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The server's count beside what a client says of itself, over every wire of a race. */
final class SecondCountTest {

  private static final int SENT = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void countsThatDoNotAgreeAreDoubtedInCleartext() throws Exception {
    try (HttpServer server = server(null)) {
      URI base = URI.create("http://127.0.0.1:" + server.port());
      assertDoubted(base, new Trust.Default());
    }
  }

  @Test
  void countsThatDoNotAgreeAreDoubtedOverTls() throws Exception {
    SelfSigned self = SelfSigned.create();
    TlsOptions options =
        TlsOptions.builder().identity(List.of(self.certificate()), self.key()).build();
    try (HttpServer server = server(options)) {
      URI base = URI.create("https://127.0.0.1:" + server.port());
      assertDoubted(base, new Trust.Everything());
    }
  }

  private static void assertDoubted(URI base, Trust trust) throws Exception {
    Endpoint server = new Endpoint(List.of(base), trust, "ours", Counting.REQUESTS);
    for (Wire wire : List.of(Wire.http1(1), Wire.http2(1, 1))) {
      double served = served(server, wire);
      assertEquals(List.of(), doubts(SENT, served));
      assertEquals(
          List.of("the client sent 4 requests, the server counted 5: it repeats some itself"),
          doubts(SENT - 1, served));
      assertEquals(
          List.of("the client counted 6 answers, the server 5 requests"), doubts(SENT + 1, served));
    }
  }

  /** The server's count of a number of requests. */
  private static double served(Endpoint server, Wire wire) throws Exception {
    Bookkeeper bookkeeper = new Bookkeeper();
    bookkeeper.look(server);
    Request hello = Request.get(server.base() + "/hello");
    try (HttpTarget target =
        HttpTarget.open(wire, HeddleSettings.tls(server.trust()), PATIENCE, SENT, List.of(hello))) {
      Exchange exchange = target.exchange(Segment.WHOLE);
      for (int i = 0; i < SENT; i++) {
        assertEquals(200, exchange.exchange().status());
      }
    }
    ServerCounts counts = bookkeeper.look(server);
    assertNotNull(counts);
    return counts.figures().getOrDefault(Figure.SERVER_REQUESTS, -1.0);
  }

  /** The verdict if the client reports that it has sent this many, all of them answered. */
  private static List<String> doubts(int said, double served) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.ANSWERED, (double) said);
    figures.put(Figure.SENT, (double) said);
    figures.put(Figure.SERVER_REQUESTS, served);
    return Agreement.doubts(1, new RunFigures(figures, Map.of()));
  }

  private static HttpServer server(@Nullable TlsOptions tls) throws IOException {
    HttpServer.Builder builder =
        HttpServer.builder().handler(new ExperimentRoutes()).closeTimeout(Duration.ZERO);
    return (tls == null ? builder : builder.tls(tls)).start();
  }
}
