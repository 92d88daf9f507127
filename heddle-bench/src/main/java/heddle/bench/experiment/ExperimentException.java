package heddle.bench.experiment;

/**
 * Thrown if an experiment cannot be used; the message says where it is wrong, and what is allowed.
 */
public final class ExperimentException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for the author of the experiment. */
  public ExperimentException(String message) {
    super(message);
  }
}
