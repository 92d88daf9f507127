package heddle.bench.server;

import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.server.ServerSpec.Program;

/**
 * The server of a load with any protocol.
 *
 * @param program the program
 * @param threads the threads of its requests, as {@link heddle.load.schedule.Strand#parse} reads
 *     them
 * @param profile whether limits of servers that are not Heddle's are raised to the load
 */
public record Serving(Program program, String threads, Profile profile) {

  /** Heddle's server with a virtual thread per request. */
  public static final Serving HEDDLE =
      new Serving(Program.HEDDLE, ServerSpec.VIRTUAL, Profile.TUNED);

  /**
   * The specification for a protocol and this number of processes.
   *
   * @throws IllegalArgumentException if the program does not support them
   */
  public ServerSpec spec(Protocol protocol, boolean tls, int copies) {
    return new ServerSpec(program, protocol, tls, threads, profile, copies);
  }
}
