package heddle.bench.experiment;

/** An experiment cannot be used: the message says where it is wrong, and what is allowed. */
public final class ExperimentException extends Exception {

  private static final long serialVersionUID = 1L;

  /** With a message for whoever wrote the experiment. */
  public ExperimentException(String message) {
    super(message);
  }
}
