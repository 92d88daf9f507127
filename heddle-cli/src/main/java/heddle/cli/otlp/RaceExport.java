package heddle.cli.otlp;

import heddle.bench.result.RaceResult;
import java.util.function.Consumer;

/** Sends what a race found to a collector. */
public final class RaceExport {

  private RaceExport() {}

  /**
   * Sends it, and tells where that does not work.
   *
   * @param told is told why
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
