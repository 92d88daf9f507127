package heddle.jmh;

import heddle.bench.routes.ExperimentRoutes;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that holds requests, in a separate process. */
final class HeldServer implements AutoCloseable {
  private static final Pattern ACTIVE = Pattern.compile("\"active\":(\\d+)");

  private static final int BACKLOG = 8_192;

  /** For a few connections in addition to the measured ones. */
  private static final int SPARE = 100;

  private final ServerProcess process;
  private final String base;

  private HeldServer(ServerProcess process) {
    this.process = process;
    this.base = "http://127.0.0.1:" + process.port();
  }

  /**
   * Starts a server.
   *
   * @param requests how many it holds at a time
   */
  static HeldServer start(int requests) throws IOException {
    return new HeldServer(ServerProcess.start(HeldServer.class, Integer.toString(requests)));
  }

  /** Gets a small answer at once. */
  Request hello() throws IOException {
    return Request.get(base + "/hello");
  }

  /** Gets an answer after this time. */
  Request held(Duration time) throws IOException {
    return Request.get(base + "/delay/" + time.toMillis());
  }

  /** How many requests it holds. */
  int active(HttpClient observer) throws IOException {
    try (Response response = observer.send(Request.get(base + "/active"))) {
      String text = response.string();
      Matcher matcher = ACTIVE.matcher(text);
      if (!matcher.find()) {
        throw new IOException("/active answered " + text);
      }
      return Integer.parseInt(matcher.group(1));
    }
  }

  @Override
  public void close() {
    process.close();
  }

  public static void main(String[] args) throws IOException {
    int most = Integer.parseInt(args[0]) + SPARE;
    try (HttpServer server = HttpServer.builder()
        .backlog(BACKLOG)
        .maxConnections(most)
        .maxRequests(most)
        // Connections that are accepted late must not fail with a head timeout.
        .headTimeout(Duration.ofMinutes(2))
        .idleTimeout(Duration.ofMinutes(5))
        .closeTimeout(Duration.ZERO)
        .handler(new ExperimentRoutes())
        .start()) {
      ServerProcess.serveUntilParentEnds(server.port());
    }
  }
}
