package heddle.load.cluster.crew;

import java.time.Instant;

/** An order to a process that makes a share of a load. */
public sealed interface Order {

  /** Begin the load at this time. Given once, after {@link Answer.Ready}. */
  record Start(Instant time) implements Order {}

  /** End the load early, and report what was measured so far. */
  record Stop() implements Order {}
}
