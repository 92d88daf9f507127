package heddle.cli;

import heddle.bench.jdkserver.JdkServer;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A server that runs at one address, whichever program it is. */
interface Serving extends AutoCloseable {

  /** How long running requests may take when it is closed, in seconds. */
  int CLOSE_SECONDS = 10;

  /** An experiment finds the limits of clients, not those of the server. */
  int MOST = 1_000_000;

  /** Starts one at an address. */
  interface Program {
    Serving start(InetSocketAddress address) throws IOException;
  }

  int port();

  /** Lets the requests that run finish for a while. */
  @Override
  void close();

  /**
   * Heddle's own.
   *
   * @param threads the size of the pool that runs requests; 0 for a virtual thread each
   */
  static Program heddle(Handler handler, int threads, ServeTls.@Nullable Setup setup) {
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
      ExecutorService pool = threads == 0
          ? null
          : Executors.newFixedThreadPool(
              threads, Thread.ofPlatform().name("heddle-pool-", 0).factory());
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

  /** The JDK's, with as many threads. */
  static Program jdk(Handler handler, int threads, @Nullable SSLContext tls) {
    return address -> {
      JdkServer server = JdkServer.start(address, handler, threads, tls);
      return new Serving() {
        @Override
        public int port() {
          return server.port();
        }

        @Override
        public void close() {
          server.close(CLOSE_SECONDS);
        }
      };
    };
  }
}
