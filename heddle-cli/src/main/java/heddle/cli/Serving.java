package heddle.cli;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
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

/** A running server of any program at one address. */
interface Serving extends AutoCloseable {

  /** High enough that experiments reach the limits of clients, not those of the server. */
  int MOST = 1_000_000;

  /** Starts a server at an address. */
  interface Program {
    Serving start(InetSocketAddress address) throws IOException;
  }

  int port();

  /** Waits for requests in progress for at most 10 s, then ends. */
  @Override
  void close();

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
          .maxConnections(MOST)
          .maxRequests(MOST);
      if (tls != null) {
        builder.tls(tls);
      }
      ExecutorService pool = threads.equals(Strand.VIRTUAL) ? null : RequestThreads.of(threads);
      if (pool != null) {
        builder.executor(pool);
      }
      return of(builder.start(), pool);
    };
  }

  private static Serving of(HttpServer server, @Nullable ExecutorService pool) {
    return new Serving() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void close() {
        server.close();
        if (pool != null) {
          pool.shutdownNow();
        }
      }
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
      ServerDriver.Running server;
      try {
        server = driver.start(new ServerConfig(address, keys, handlers, pool, profile, routes));
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(driver.name() + " does not start: " + e, e);
      }
      return new Serving() {
        @Override
        public int port() {
          return server.port();
        }

        @Override
        public void close() {
          server.close();
          handlers.shutdownNow();
        }
      };
    };
  }
}
