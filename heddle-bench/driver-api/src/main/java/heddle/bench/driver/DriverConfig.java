package heddle.bench.driver;

import java.net.URI;

/**
 * What a driver is told before it starts.
 *
 * @param target any URI on the server that will be asked: its scheme, host and port count
 * @param wire how to be connected to it. The protocol binds every profile; the numbers are what the
 *     tuned profile raises its limits to, and keeps to
 * @param profile whether limits are raised to the load
 */
public record DriverConfig(URI target, Wire wire, Profile profile) {

  /** Checks the target; throws {@link IllegalArgumentException} when it cannot be used. */
  public DriverConfig {
    boolean isHttp = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
    if (!isHttp || target.getHost() == null) {
      throw new IllegalArgumentException("a driver needs an absolute http URI, not " + target);
    }
  }

  /** Whether limits are to be raised to the load. */
  public boolean isTuned() {
    return profile == Profile.TUNED;
  }

  /** Whether connections are to be encrypted. */
  public boolean isTls() {
    return target.getScheme().equals("https");
  }

  /** Whether HTTP/2 is to be spoken, and nothing else. */
  public boolean isHttp2() {
    return wire.protocol() == Protocol.HTTP_2;
  }

  /**
   * How many clients share the load, each with one connection over HTTP/2, where a client has no
   * limit of its own that could be raised to the number of connections: see {@link Spread}.
   */
  public int clientsOfOneConnection() {
    return isHttp2() && isTuned() ? wire.connections() : 1;
  }

  /**
   * What opens a connection of a client that opens none without a request. It is no part of the
   * load, which may be one that is not answered for an hour: the servers of a race answer this at
   * once and leave it out of their counts, and any other answers with some status.
   */
  public DriverRequest opening() {
    return DriverRequest.get(target.resolve("/active"));
  }

  /** The port of the target; 80 or 443 where the URI names none. */
  public int port() {
    return target.getPort() != -1 ? target.getPort() : isTls() ? 443 : 80;
  }
}
