package heddle.cli.otlp;

import heddle.bench.result.RaceResult;
import java.util.function.Consumer;

/** Sends the result of a race to a collector. */
public final class RaceExport {

  private RaceExport() {}

  /**
   * Sends the result, and reports a failure.
   *
   * @param told receives the reason of a failure
   */
  public static void send(OtlpSettings settings, RaceResult result, Consumer<String> told) {
    Scope scope = Scope.of("heddle.race", settings.resource());
    try (Delivery delivery = new Delivery(settings)) {
      String why = delivery.send(RaceMetrics.of(result, scope, Delivery.epochNanos()));
      if (!why.isEmpty()) {
        told.accept(
            "the collector at " + delivery.endpoint() + " has no metrics of the race: " + why);
      }
    }
  }
}
