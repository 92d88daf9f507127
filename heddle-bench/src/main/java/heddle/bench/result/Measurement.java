package heddle.bench.result;

import heddle.bench.record.Distribution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One client in one cell.
 *
 * @param cell what it was put under
 * @param client such as {@code okhttp}
 * @param runs all of them, in the order of the rounds, those that do not count too
 * @param medians over the runs that count; a figure that none has is missing, and all are where
 *     none counts
 * @param effects beside the baseline, by the figures that are compared; empty for the baseline
 */
public record Measurement(
    CellInfo cell,
    String client,
    List<Run> runs,
    Map<Figure, Double> medians,
    List<Effect> effects) {

  /** Keeps copies. */
  public Measurement {
    runs = List.copyOf(runs);
    Map<Figure, Double> copy = new EnumMap<>(Figure.class);
    copy.putAll(medians);
    medians = Collections.unmodifiableMap(copy);
    effects = List.copyOf(effects);
  }

  /** The median of the figure; null where there is none. */
  public @Nullable Double of(Figure figure) {
    return medians.get(figure);
  }

  /** The effect by this figure; null where there is none. */
  public @Nullable Effect effect(Figure figure) {
    return effects.stream().filter(each -> each.figure() == figure).findFirst().orElse(null);
  }

  /** The runs that the medians are over. */
  public List<Run> counted() {
    return runs.stream().filter(run -> !run.isInvalid()).toList();
  }

  /** Failed requests in all runs together, by cause. */
  public Map<String, Long> errorsByCause() {
    Map<String, Long> errors = new TreeMap<>();
    for (Run run : runs) {
      run.figures()
          .errorsByCause()
          .forEach((cause, count) -> errors.merge(cause, count, Long::sum));
    }
    return errors;
  }

  /**
   * What the runs have recorded together: exactly what those that count have recorded, and the
   * failures of all. Without a series, which each run has for itself.
   */
  public Recording recorded() {
    List<Recording> counted = counted().stream().map(Run::recording).toList();
    List<Recording> all = runs.stream().map(Run::recording).toList();
    return new Recording(
        Distribution.sum(counted.stream().map(Recording::response).toList()),
        Distribution.sum(counted.stream().map(Recording::service).toList()),
        Distribution.sum(counted.stream().map(Recording::sendLag).toList()),
        Series.NONE,
        FailedRequests.sum(
            all.stream().flatMap(each -> each.failures().stream()).toList()),
        all.stream().flatMap(each -> each.remarks().stream()).distinct().toList());
  }

  /** Failed requests in all runs together. */
  public long errors() {
    return errorsByCause().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Invalid where no run counts; noisy where one is noisy, or does not count. */
  public Soundness soundness() {
    Set<String> reasons = new LinkedHashSet<>();
    for (Run run : runs) {
      run.soundness().reasons().forEach(each -> reasons.add("round " + run.round() + ": " + each));
    }
    boolean isInvalid = counted().isEmpty() && !runs.isEmpty();
    List<String> all = new ArrayList<>(reasons);
    return isInvalid ? Soundness.of(all, List.of()) : Soundness.of(List.of(), all);
  }

  /**
   * Whether the client had the connections of its cell: exactly those over HTTP/2, where their
   * number decides how much goes into one write, and no more over HTTP/1.1.
   */
  public boolean isHeldToItsConnections() {
    Double open = of(Figure.CONNECTIONS);
    if (open == null) {
      return true;
    }
    return cell.streams() > 1 ? open == cell.connections() : open <= cell.connections();
  }
}
