package heddle.adapters.support;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** How one handshake is configured, and whether its server is the intended one. */
public interface ServerIdentity {
  /** Creates the identity of each server that a client connects to. Thread-safe. */
  @FunctionalInterface
  interface Source {
    /**
     * Returns the identity that the server of one connection must have.
     *
     * @param host to which the client connects
     * @param port of the same, or -1
     */
    ServerIdentity of(String host, int port);
  }

  /** Configures the engine, whose parameters the client has set; it compares no names. */
  default void configure(SSLEngine engine) {}

  /**
   * Verifies the server, whose certificates are trusted. May block.
   *
   * @param engine its session has the certificates
   * @throws SSLException if it is not the intended server
   */
  void verify(SSLEngine engine) throws SSLException;
}
