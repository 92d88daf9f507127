package heddle.load.cluster.crew;

import heddle.load.LoadProgress;
import java.time.Instant;

/** What a process that makes a share of a load reports. */
public sealed interface Answer {

  /** The time by the clock of the worker. */
  record Clock(Instant time) implements Answer {}

  /** All connections are open; the process waits for the order to start. */
  record Ready() implements Answer {}

  /** The progress of the load. */
  record Going(LoadProgress progress) implements Answer {}

  /**
   * The result of the load; the last answer.
   *
   * @param json what {@code heddle load --json} writes
   */
  record Result(String json) implements Answer {}

  /** An order could not be carried out, for this reason. */
  record Failure(String cause) implements Answer {}
}
