package heddle.cli;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import heddle.bench.driver.ServerDriver.Running;
import heddle.bench.routes.HandlerRoutes;
import heddle.bench.server.RequestThreads;
import heddle.load.schedule.Strand;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** How servers of any program are started. */
final class Serving {

  /** High enough that experiments reach the limits of clients, not those of the server. */
  private static final int MOST = 1_000_000;

  private Serving() {}

  /** Starts a server at an address. */
  interface Program {
    Running start(InetSocketAddress address) throws IOException;
  }

  /**
   * Heddle's server.
   *
   * @param threads the threads that run requests
   */
  static Program heddle(Handler handler, Strand threads, ServeTls.@Nullable Setup setup) {
    TlsOptions tls = setup == null ? null : setup.options();
    return address -> {
      HttpServer.Builder builder = HttpServer.builder()
          .address(address)
          .handler(handler)
          .upgradeToH2c(true)
          .maxConnections(MOST)
          .maxRequests(MOST);
      if (tls != null) {
        builder.tls(tls);
      }
      ExecutorService pool = threads.equals(Strand.VIRTUAL) ? null : RequestThreads.of(threads);
      if (pool != null) {
        builder.executor(pool);
      }
      HttpServer server = builder.start();
      return Running.of(server::port, () -> {
        server.close();
        if (pool != null) {
          pool.shutdownNow();
        }
      });
    };
  }

  /**
   * A server that is not Heddle's.
   *
   * @param keys for TLS; null for cleartext
   */
  static Program rival(
      ServerDriver driver,
      Handler handler,
      Strand threads,
      Profile profile,
      @Nullable KeyStore keys) {
    return address -> {
      ExecutorService handlers = RequestThreads.of(threads);
      int pool = threads instanceof Strand.Pool(int size) ? size : 0;
      Routes routes = new HandlerRoutes(handler);
      Running server;
      try {
        server = driver.start(new ServerConfig(address, keys, handlers, pool, profile, routes));
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(driver.name() + " does not start: " + e, e);
      }
      return Running.of(server::port, () -> {
        server.close();
        handlers.shutdownNow();
      });
    };
  }
}
