package heddle.jmh;

import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import java.io.IOException;
import java.time.Duration;

/**
 * The server of {@link HeldRequests}, in its own process: prints its port, and ends with its
 * standard input, so that it does not outlive the parent process.
 */
final class HeldServer {
  private static final int BACKLOG = 8_192;

  /** For a few connections in addition to the measured ones. */
  private static final int SPARE = 100;

  private HeldServer() {}

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
      System.out.println(server.port());
      while (System.in.read() >= 0) {
        // Waits for the end of the input.
      }
    }
  }
}
