package heddle.bench.account;

import heddle.bench.result.Figure;
import heddle.bench.routes.Counted;
import heddle.bench.server.SearchNode;
import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for their counts, with the client of the JDK and a connection for each question, so
 * that none stays open while others are measured. Used by one thread.
 */
public final class Bookkeeper {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Between two looks at a server that still takes requests. */
  private static final Duration REST = Duration.ofMillis(20);

  private static final int MOST_LOOKS = 50;
  private static final int OK = 200;
  private static final String REFRESH = "/" + SearchNode.INDEX + "/_refresh";
  private static final String COUNT = "/" + SearchNode.INDEX + "/_count";

  /** How many documents a search engine held when it was last asked. */
  private final Map<URI, Long> documents = new HashMap<>();

  /**
   * What the server has counted since the last look, all its copies together; null where it does
   * not count.
   *
   * @throws IOException when it does not answer, or with something else
   */
  public @Nullable ServerCounts look(Endpoint server) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(server.trust().context())
        .build()) {
      return switch (server.counting()) {
        case NOTHING -> null;
        case REQUESTS -> requests(client, server.bases());
        case DOCUMENTS -> documents(client, server.base());
      };
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot trust the server's certificate to ask for its counts", e);
    }
  }

  /**
   * Looks until the server counts nothing more, for a second at most: requests that a client has
   * sent and given up may wait in the server's sockets until their connections are read to the end,
   * and are none of whoever comes next.
   *
   * @throws IOException when the server does not answer, or with something else
   */
  public void settle(Endpoint server) throws IOException, InterruptedException {
    boolean isQuiet = isQuiet(server);
    for (int looks = 1; !isQuiet && looks < MOST_LOOKS; looks++) {
      Thread.sleep(REST);
      isQuiet = isQuiet(server);
    }
  }

  private boolean isQuiet(Endpoint server) throws IOException, InterruptedException {
    ServerCounts counts = look(server);
    Double requests = counts == null ? null : counts.figures().get(Figure.SERVER_REQUESTS);
    return requests == null || requests == 0;
  }

  private static @Nullable ServerCounts requests(HttpClient client, List<URI> bases)
      throws IOException, InterruptedException {
    List<ServerCounts> all = new ArrayList<>();
    for (URI each : bases) {
      HttpResponse<String> response = client.send(post(each, Counted.COUNTERS), ofText());
      if (response.statusCode() != OK) {
        return null;
      }
      all.add(ServerCounts.parse(response.body()));
    }
    return ServerCounts.together(all);
  }

  private ServerCounts documents(HttpClient client, URI base)
      throws IOException, InterruptedException {
    client.send(post(base, REFRESH), ofText());
    HttpRequest count =
        HttpRequest.newBuilder(base.resolve(COUNT)).timeout(PATIENCE).build();
    HttpResponse<String> response = client.send(count, ofText());
    if (response.statusCode() != OK) {
      throw new IOException(base.resolve(COUNT) + " answers " + response.statusCode());
    }
    Double held = ServerCounts.parse(response.body()).number("count");
    if (held == null) {
      throw new IOException("the search engine tells no count but " + response.body());
    }
    Long before = documents.put(base, held.longValue());
    return new ServerCounts(Map.of("requests", held.longValue() - (before == null ? 0 : before)));
  }

  private static HttpRequest post(URI base, String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .POST(BodyPublishers.noBody())
        .timeout(PATIENCE)
        .build();
  }

  private static HttpResponse.BodyHandler<String> ofText() {
    return BodyHandlers.ofString();
  }
}
