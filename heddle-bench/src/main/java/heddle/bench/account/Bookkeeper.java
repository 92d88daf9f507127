package heddle.bench.account;

import heddle.bench.routes.Counted;
import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for their counts, with the client of the JDK and a connection for each question, so
 * that none stays open while others are measured. Used by one thread.
 */
public final class Bookkeeper {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int OK = 200;

  /**
   * What the server has counted since the last look; null where it does not count.
   *
   * @throws IOException when it does not answer, or with something else
   */
  public @Nullable ServerCounts look(Endpoint server) throws IOException, InterruptedException {
    if (!server.isCounting()) {
      return null;
    }
    HttpRequest request = HttpRequest.newBuilder(server.base().resolve(Counted.COUNTERS))
        .POST(HttpRequest.BodyPublishers.noBody())
        .timeout(PATIENCE)
        .build();
    try (HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(server.trust().context())
        .build()) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      return response.statusCode() == OK ? ServerCounts.parse(response.body()) : null;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot trust the server's certificate to ask for its counts", e);
    }
  }
}
