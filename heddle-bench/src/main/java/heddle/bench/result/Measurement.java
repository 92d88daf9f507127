package heddle.bench.result;

import heddle.load.record.Validity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client in one cell.
 *
 * @param cell the cell
 * @param client such as {@code okhttp}
 * @param runs all runs in the order of the rounds, including invalid ones
 * @param medians medians over the valid runs, without figures that none of them has
 * @param effects the comparisons with the baseline by figure; empty for the baseline
 */
public record Measurement(
    CellInfo cell,
    String client,
    List<Run> runs,
    Map<Figure, Double> medians,
    List<Effect> effects) {

  private static final Pattern DELAYED = Pattern.compile("/delay/[1-9]\\d{0,6}");

  /** A client that answers less than this share of an open load's rate has not kept up. */
  private static final double KEPT_UP = 0.95;

  /**
   * How many standard deviations random arrivals may be fewer than their mean. A deviation is the
   * root of their number (Poisson).
   */
  private static final double DEVIATIONS = 3;

  /** Copies the collections. */
  public Measurement {
    runs = List.copyOf(runs);
    Map<Figure, Double> copy = new EnumMap<>(Figure.class);
    copy.putAll(medians);
    medians = Collections.unmodifiableMap(copy);
    effects = List.copyOf(effects);
  }

  /** The median of the figure; null if there is none. */
  public @Nullable Double of(Figure figure) {
    return medians.get(figure);
  }

  /** The effect by this figure; null if there is none. */
  public @Nullable Effect effect(Figure figure) {
    return effects.stream().filter(each -> each.figure() == figure).findFirst().orElse(null);
  }

  /** The valid runs, which the medians are taken over. */
  public List<Run> counted() {
    return runs.stream().filter(run -> !run.isInvalid()).toList();
  }

  /** What the figures show about the question of a cell, in words; may be empty. */
  public List<String> findings() {
    return Stream.of(lagging(), closeness()).filter(said -> !said.isEmpty()).toList();
  }

  /**
   * How far the client fell behind the rate of an open load, which is a result and no reason to
   * doubt the figures; empty if it kept up, and for any other load.
   */
  private String lagging() {
    Double asked = of(Figure.ASKED_RATE);
    Double rate = of(Figure.RATE);
    if (cell.kind() != LoadKind.OPEN || asked == null || rate == null) {
      return "";
    }
    double dropped = medians.getOrDefault(Figure.DROPPED, 0.0);
    double lag = medians.getOrDefault(Figure.SEND_LAG_P99, 0.0);
    double service = medians.getOrDefault(Figure.SERVICE_P50, 0.0);
    boolean isOnTime = !Validity.DEFAULT.forAnswersOf(service).isTooLate(lag);
    double answered = Math.max(1, medians.getOrDefault(Figure.ANSWERED, Double.MAX_VALUE));
    double least = asked * (KEPT_UP - DEVIATIONS / Math.sqrt(answered));
    if (dropped < 1 && isOnTime && rate >= least) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "fell behind: %,.0f of %,.0f requests a second answered, on average after %,.0f ms and at"
            + " most after %,.0f ms; one in a hundred sent %,.0f ms late or later; %,.0f dropped",
        rate,
        asked,
        medians.getOrDefault(Figure.MEAN, 0.0) / 1e3,
        medians.getOrDefault(Figure.MAX, 0.0) / 1e3,
        lag / 1e3,
        dropped);
  }

  /**
   * How close batches of delayed answers came to the best possible time with as many requests at
   * once as the server counted; empty for any other load.
   */
  private String closeness() {
    Double atOnce = of(Figure.SERVER_PEAK);
    Double batch = of(Figure.BATCH_MEAN);
    if (cell.kind() != LoadKind.BATCH
        || !DELAYED.matcher(cell.path()).matches()
        || atOnce == null
        || atOnce < 1
        || batch == null) {
      return "";
    }
    long delay = Long.parseLong(cell.path().substring(cell.path().lastIndexOf('/') + 1));
    long best = delay * Math.ceilDiv(cell.inFlight(), atOnce.intValue());
    return String.format(
        Locale.ROOT,
        "%d requests, at most %.0f at once, in %,.0f ms; the best possible for %2$.0f is %,d ms",
        cell.inFlight(),
        atOnce,
        batch / 1e3,
        best);
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

  /** Failed requests in all runs together, by kind, phase and cause, most frequent first. */
  public List<FailedRequests> failures() {
    return FailedRequests.sum(
        runs.stream().flatMap(run -> run.recording().failures().stream()).toList());
  }

  /** The remarks on all runs, each once. */
  public List<String> remarks() {
    return runs.stream()
        .flatMap(run -> run.recording().remarks().stream())
        .distinct()
        .toList();
  }

  /** Failed requests in all runs together. */
  public long errors() {
    return errorsByCause().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Invalid if no run counts; noisy if any run is noisy or does not count. */
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
   * Whether the client had the connections of its cell: exactly those over HTTP/2, because their
   * number decides how much goes into one write, and at most those over HTTP/1.1.
   */
  public boolean isHeldToItsConnections() {
    Double open = of(Figure.CONNECTIONS);
    if (open == null) {
      return true;
    }
    return cell.streams() > 1 ? open == cell.connections() : open <= cell.connections();
  }
}
