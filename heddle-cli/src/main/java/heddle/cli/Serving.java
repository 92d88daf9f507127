package heddle.cli;

import heddle.bench.jdkserver.JdkServer;
import heddle.bench.server.RequestThreads;
import heddle.load.schedule.Strand;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A running server of any program at one address. */
interface Serving extends AutoCloseable {

  /** How long {@link #close} waits for requests in progress, in seconds. */
  int CLOSE_SECONDS = 10;

  /** High enough that experiments reach the limits of clients, not those of the server. */
  int MOST = 1_000_000;

  /** Starts a server at an address. */
  interface Program {
    Serving start(InetSocketAddress address) throws IOException;
  }

  int port();

  /** Waits for requests in progress for at most {@value #CLOSE_SECONDS} s, then ends. */
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

  /** The JDK's server, with the same kinds of threads. */
  static Program jdk(Handler handler, Strand threads, @Nullable SSLContext tls) {
    return address -> {
      JdkServer server = JdkServer.start(address, handler, RequestThreads.of(threads), tls);
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
