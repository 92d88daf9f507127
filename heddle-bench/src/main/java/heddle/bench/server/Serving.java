package heddle.bench.server;

import heddle.bench.driver.Protocol;
import heddle.bench.server.ServerSpec.Program;

/**
 * What serves a load, whatever its protocol.
 *
 * @param program which
 * @param threads what runs its requests: {@code virtual}, or {@code pool:N} for N platform threads
 */
public record Serving(Program program, String threads) {

  /** Heddle's own server with a virtual thread for each request. */
  public static final Serving HEDDLE = new Serving(Program.HEDDLE, ServerSpec.VIRTUAL);

  /**
   * For a protocol.
   *
   * @throws IllegalArgumentException when the program does not speak it
   */
  public ServerSpec spec(Protocol protocol, boolean tls) {
    return spec(protocol, tls, 1);
  }

  /** The same in so many processes. */
  public ServerSpec spec(Protocol protocol, boolean tls, int copies) {
    return new ServerSpec(program, protocol, tls, threads, copies);
  }
}
