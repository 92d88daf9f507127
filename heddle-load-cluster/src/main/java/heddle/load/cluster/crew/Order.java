package heddle.load.cluster.crew;

import java.time.Instant;
import java.util.List;

/** An order to a process that makes a share of a load. */
public sealed interface Order {

  /** Say what time it is. Answered at once by {@link Answer.Clock}. */
  record Clock() implements Order {}

  /**
   * Start a process that makes a share of a load. Understood by {@code heddle worker}.
   *
   * @param arguments of {@code heddle load}
   */
  record Load(List<String> arguments) implements Order {

    /** Copies the list. */
    public Load {
      arguments = List.copyOf(arguments);
    }
  }

  /** Begin the load at this time. Given once, after {@link Answer.Ready}. */
  record Start(Instant time) implements Order {}

  /** End the load early, and report what was measured so far. */
  record Stop() implements Order {}
}
