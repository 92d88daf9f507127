package heddle.bench.driver;

import java.net.URI;

/**
 * The configuration of a driver.
 *
 * @param target any URI on the server; only its scheme, host and port are used
 * @param wire the protocol and the connections. The protocol applies to every profile; the numbers
 *     are the limits of the tuned profile
 * @param profile whether limits are raised to the load
 */
public record DriverConfig(URI target, Wire wire, Profile profile) {

  /** Throws {@link IllegalArgumentException} if the target is not an absolute http URI. */
  public DriverConfig {
    boolean isHttp = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
    if (!isHttp || target.getHost() == null) {
      throw new IllegalArgumentException("a driver needs an absolute http URI, not " + target);
    }
  }

  /** Whether to raise limits to the load. */
  public boolean isTuned() {
    return profile == Profile.TUNED;
  }

  /** Whether to encrypt connections. */
  public boolean isTls() {
    return target.getScheme().equals("https");
  }

  /** Whether to use HTTP/2, and nothing else. */
  public boolean isHttp2() {
    return wire.protocol() == Protocol.HTTP_2;
  }

  /**
   * How many clients share the load, each with one connection over HTTP/2, if a client cannot be
   * configured to open several: see {@link Clients}.
   */
  public int clientsOfOneConnection() {
    return isHttp2() && isTuned() ? wire.connections() : 1;
  }

  /**
   * A request that opens a connection, for clients that open none without a request. It is not part
   * of the load, whose requests may take up to an hour: the servers of a race answer it at once and
   * do not count it, and any other server answers with some status.
   */
  public DriverRequest opening() {
    return DriverRequest.get(target.resolve("/active"));
  }

  /** The port of the target; 80 or 443 if the URI has none. */
  public int port() {
    return target.getPort() != -1 ? target.getPort() : isTls() ? 443 : 80;
  }
}
