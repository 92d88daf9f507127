package heddle.bench.worker;

import heddle.bench.client.HttpTarget;
import heddle.bench.record.Failure;
import heddle.bench.record.FailureClassifier;

/**
 * Names failures of whichever client a worker has: those of Heddle with the phase of the call,
 * which its exceptions tell, all others as far as their names and messages go.
 */
final class ClientFailures implements FailureClassifier {

  private static final FailureClassifier ANY = FailureClassifier.ofAnyClient();

  @Override
  public Failure classify(Throwable failure) {
    // What knows Heddle's exceptions is loaded only where one was seen: other clients' workers do
    // not have its classes.
    return isHeddles(FailureClassifier.unwrapped(failure))
        ? HttpTarget.classifier().classify(failure)
        : ANY.classify(failure);
  }

  private static boolean isHeddles(Throwable thrown) {
    String name = thrown.getClass().getName();
    return name.startsWith("heddle.http.") || name.startsWith("heddle.client.");
  }
}
