package heddle.load.goal;

import heddle.load.LoadReport;
import heddle.load.record.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a load that goals may name: {@code mean p50 p90 p95 p99 p99.9 p99.99 max} of the
 * response time, the same of {@code service.} and {@code lag.}, {@code rate} (successful answers
 * per second), {@code errors} (share of failed requests) and {@code dropped} (share of requests
 * that were not sent).
 */
public final class LoadFigures {

  private static final String NAMES = "mean p50 p90 p95 p99 p99.9 p99.99 max, the same after"
      + " service. or lag., rate, errors and dropped";

  private LoadFigures() {}

  /** The figures of a report by name. */
  public static Function<String, @Nullable Figure> of(LoadReport report) {
    return figures(
        report.answered() == 0 ? null : report.latency(),
        report.answered() == 0 ? null : report.service(),
        report.sendLag(),
        report.requestsPerSecond(),
        share(report.failed(), report.answered() + report.failed()),
        share(report.dropped(), report.answered() + report.failed() + report.dropped()))::get;
  }

  /**
   * Checks before a load that each goal can be checked after it.
   *
   * @throws IllegalArgumentException if one cannot; the message lists the figures
   */
  public static void require(List<Slo> goals) {
    Map<String, Figure> none = figures(null, null, null, Double.NaN, Double.NaN, Double.NaN);
    for (Slo goal : goals) {
      if (!none.containsKey(goal.figure())) {
        throw new IllegalArgumentException(
            "'" + goal.text() + "': a load has no figure " + goal.figure() + ", but " + NAMES);
      }
      goal.check(none::get);
    }
  }

  private static double share(long part, long whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }

  private static Map<String, Figure> figures(
      @Nullable Latency response,
      @Nullable Latency service,
      @Nullable Latency lag,
      double rate,
      double errors,
      double dropped) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    add(figures, "", response);
    add(figures, "service.", service);
    add(figures, "lag.", lag);
    figures.put("rate", new Figure(rate, Unit.NUMBER));
    figures.put("errors", new Figure(errors, Unit.SHARE));
    figures.put("dropped", new Figure(dropped, Unit.SHARE));
    return figures;
  }

  private static void add(Map<String, Figure> figures, String prefix, @Nullable Latency latency) {
    put(figures, prefix + "mean", latency, Latency::mean);
    put(figures, prefix + "p50", latency, Latency::p50);
    put(figures, prefix + "p90", latency, Latency::p90);
    put(figures, prefix + "p95", latency, Latency::p95);
    put(figures, prefix + "p99", latency, Latency::p99);
    put(figures, prefix + "p99.9", latency, Latency::p999);
    put(figures, prefix + "p99.99", latency, Latency::p9999);
    put(figures, prefix + "max", latency, Latency::max);
  }

  private static void put(
      Map<String, Figure> figures,
      String name,
      @Nullable Latency latency,
      Function<Latency, Double> value) {
    double micros = latency == null ? Double.NaN : value.apply(latency);
    figures.put(name, new Figure(micros, Unit.TIME));
  }
}
