package heddle.bench.driver;

import java.util.function.IntSupplier;

/** One HTTP server under test, which answers with the routes of its config. */
public interface ServerDriver {

  /** The short name that reports and {@code heddle serve --program} use, such as {@code jetty}. */
  String name();

  /** The version of the server's release. */
  String version();

  /**
   * Starts a server; several may run at different addresses. It accepts HTTP/1.1 and, if it can,
   * HTTP/2 on the same port: by ALPN over TLS, by prior knowledge in cleartext.
   *
   * @throws Exception if it cannot start, for instance because the port is taken
   */
  Running start(ServerConfig config) throws Exception;

  /** A server that has started. */
  interface Running extends AutoCloseable {

    /** The port on which it listens. */
    int port();

    /** Waits for requests in progress for at most 10 s, if the server can, then ends it. */
    @Override
    void close();

    /** How a server is ended. */
    @FunctionalInterface
    interface Stop {
      /** Ends the server. */
      void stop() throws Exception;
    }

    /** A server with this port; closing it throws an unchecked exception if it does not stop. */
    static Running of(IntSupplier port, Stop stop) {
      return new Running() {
        @Override
        public int port() {
          return port.getAsInt();
        }

        @Override
        public void close() {
          try {
            stop.stop();
          } catch (RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
          }
        }
      };
    }
  }
}
