package heddle.bench.worker;

import heddle.bench.client.HttpTarget;
import heddle.load.record.Failure;
import heddle.load.record.FailureClassifier;

/**
 * Classifies failures of any client: those of Heddle with the phase of the call from its
 * exceptions, all others by their names and messages.
 */
final class ClientFailures implements FailureClassifier {

  private static final FailureClassifier ANY = FailureClassifier.ofAnyClient();

  @Override
  public Failure classify(Throwable failure) {
    // The classifier of Heddle's exceptions is loaded only when one is seen, because the workers of
    // other clients do not have its classes.
    return isHeddles(FailureClassifier.unwrapped(failure))
        ? HttpTarget.classifier().classify(failure)
        : ANY.classify(failure);
  }

  private static boolean isHeddles(Throwable thrown) {
    String name = thrown.getClass().getName();
    return name.startsWith("heddle.http.") || name.startsWith("heddle.client.");
  }
}
