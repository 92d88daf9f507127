package heddle.bench.result;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run.
 *
 * @param values the figures that were measured
 * @param errorsByCause failed requests by cause
 */
public record RunFigures(Map<Figure, Double> values, Map<String, Long> errorsByCause) {

  private static final double COLD = 0.1;

  /** Copies the maps; throws {@link IllegalArgumentException} if a figure is not finite. */
  public RunFigures {
    Map<Figure, Double> copy = new EnumMap<>(Figure.class);
    copy.putAll(values);
    copy.forEach((figure, value) -> {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(figure.key() + " is not a number: " + value);
      }
    });
    values = Collections.unmodifiableMap(copy);
    errorsByCause = Collections.unmodifiableMap(new TreeMap<>(errorsByCause));
  }

  /** The figures of a program without a JVM. */
  public static RunFigures ofProgram(
      double requestsPerSecond,
      @Nullable Double p50Micros,
      @Nullable Double p99Micros,
      Map<String, Long> errorsByCause,
      long answered,
      double cpuMicrosPerRequest) {
    Map<Figure, Double> values = new EnumMap<>(Figure.class);
    values.put(Figure.RATE, requestsPerSecond);
    put(values, Figure.P50, p50Micros, 1);
    put(values, Figure.P99, p99Micros, 1);
    values.put(Figure.ANSWERED, (double) answered);
    values.put(Figure.CPU, cpuMicrosPerRequest);
    return new RunFigures(values, errorsByCause);
  }

  /** Puts the value, divided by the unit; puts nothing if the value is null. */
  public static void put(
      Map<Figure, Double> values, Figure figure, @Nullable Number value, double unit) {
    if (value != null) {
      values.put(figure, value.doubleValue() / unit);
    }
  }

  /** The figure; null if it was not measured. */
  public @Nullable Double of(Figure figure) {
    return values.get(figure);
  }

  /** Successful answers per second; 0 if that was not measured. */
  public double requestsPerSecond() {
    return values.getOrDefault(Figure.RATE, 0.0);
  }

  /** A copy with one figure added or replaced. */
  public RunFigures with(Figure figure, double value) {
    return with(Map.of(figure, value));
  }

  /** A copy without some of the figures. */
  public RunFigures without(Set<Figure> some) {
    Map<Figure, Double> rest = new EnumMap<>(Figure.class);
    rest.putAll(values);
    rest.keySet().removeAll(some);
    return new RunFigures(rest, errorsByCause);
  }

  /** A copy with several figures added or replaced. */
  public RunFigures with(Map<Figure, Double> more) {
    Map<Figure, Double> all = new EnumMap<>(Figure.class);
    all.putAll(values);
    all.putAll(more);
    return new RunFigures(all, errorsByCause);
  }

  /**
   * Whether the JVM's compilers took more than a tenth of the CPU time: its figures may be those of
   * code that was about to be replaced.
   */
  public boolean isCold() {
    Double share = of(Figure.COMPILING);
    return share != null && share > COLD;
  }
}
