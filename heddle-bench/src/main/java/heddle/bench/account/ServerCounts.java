package heddle.bench.account;

import static heddle.bench.result.RunFigures.put;

import heddle.bench.result.Figure;
import heddle.bench.result.Series;
import heddle.load.cluster.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a server has counted since it was last asked.
 *
 * @param fields by name
 */
public record ServerCounts(Map<String, Object> fields) {

  /** Of several copies, the maximum of these counts and not their sum. */
  private static final Set<String> LONGEST = Set.of("gcMaxMillis", "peakAfterMillis");

  static final String CPU_NANOS = "cpuNanos";

  private static final String PEAK = "peak";

  private static final String ACTIVE = "activeEachSecond";

  static ServerCounts parse(String json) throws IOException {
    try {
      return new ServerCounts(Json.object(json));
    } catch (IllegalArgumentException e) {
      throw new IOException("the server must answer with its counts, but answered " + json, e);
    }
  }

  /** The figures of these counts, without those that the server does not report. */
  public Map<Figure, Double> figures() {
    return figures(null);
  }

  /**
   * The same, with the cost of a server that counts no requests.
   *
   * @param sent how many requests the client sent, by which the CPU time of such a server is
   *     divided; null if that is not known
   */
  public Map<Figure, Double> figures(@Nullable Double sent) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    Double requests = number("requests");
    if (requests == null) {
      if (sent != null && sent > 0) {
        put(figures, Figure.SERVER_CPU, number(CPU_NANOS), 1e3 * sent);
      }
      return figures;
    }
    figures.put(Figure.SERVER_REQUESTS, requests);
    if (requests > 0) {
      put(figures, Figure.SERVER_CPU, number(CPU_NANOS), 1e3 * requests);
      put(figures, Figure.SERVER_ALLOCATED, number("allocatedBytes"), requests);
      put(figures, Figure.SERVER_VOLUNTARY_SWITCHES, number("voluntarySwitches"), requests);
      put(figures, Figure.SERVER_INVOLUNTARY_SWITCHES, number("involuntarySwitches"), requests);
    }
    put(figures, Figure.SERVER_GC_COUNT, number("gcCount"), 1);
    put(figures, Figure.SERVER_GC_MILLIS, number("gcMillis"), 1);
    put(figures, Figure.SERVER_PEAK, number(PEAK), 1);
    put(figures, Figure.SERVER_PEAK_SECONDS, number("peakAfterMillis"), 1e3);
    put(figures, Figure.SERVER_GC_MAX_MILLIS, number("gcMaxMillis"), 1);
    put(figures, Figure.SERVER_LIVE_SET, number("liveSetBytes"), 1);
    put(figures, Figure.SERVER_PEAK_RSS, number("peakRssBytes"), 1);
    put(figures, Figure.SERVER_THREADS, number("platformThreads"), 1);
    put(figures, Figure.SERVER_PEAK_HEAP, number("peakHeapBytes"), 1);
    put(figures, Figure.SERVER_HEAP, number("averageHeapBytes"), 1);
    put(figures, Figure.SERVER_COMMITTED_HEAP, number("committedHeapBytes"), 1);
    return figures;
  }

  /**
   * How many requests were being handled at the end of each second since the last look, the oldest
   * first; empty if the server does not report them.
   */
  public List<Integer> activeEachSecond() {
    return fields.get(ACTIVE) instanceof List<?> values
        ? values.stream().map(each -> ((Number) each).intValue()).toList()
        : List.of();
  }

  /**
   * The process over time since the last look; empty if the server does not report it, and for
   * several copies.
   *
   * @throws IllegalArgumentException if it is malformed; the message says how
   */
  public Series series() {
    Object columns = fields.get("series");
    return columns == null ? Series.NONE : Json.read(Json.line(columns), Series.class);
  }

  /**
   * Combines the counts of several copies of a server: sums, and maxima of maxima. The peak of
   * concurrent requests is the highest sum in any second, because the copies may have had their
   * peaks at different times.
   */
  static ServerCounts together(List<ServerCounts> copies) {
    if (copies.size() == 1) {
      return copies.getFirst();
    }
    Map<String, Object> all = new LinkedHashMap<>();
    for (ServerCounts each : copies) {
      each.fields.forEach((name, value) -> {
        if (value instanceof Number number) {
          all.merge(name, number.doubleValue(), (a, b) -> combine(name, (Double) a, (Double) b));
        }
      });
    }
    List<Integer> series = new ArrayList<>();
    for (ServerCounts each : copies) {
      List<Integer> own = each.activeEachSecond();
      for (int i = 0; i < own.size(); i++) {
        if (i < series.size()) {
          series.set(i, series.get(i) + own.get(i));
        } else {
          series.add(own.get(i));
        }
      }
    }
    all.put(ACTIVE, series);
    all.put(PEAK, series.stream().mapToInt(Integer::intValue).max().orElse(0));
    return new ServerCounts(all);
  }

  private static Double combine(String name, Double one, Double other) {
    return LONGEST.contains(name) ? Math.max(one, other) : one + other;
  }

  @Nullable
  Double number(String name) {
    return fields.get(name) instanceof Number number ? number.doubleValue() : null;
  }
}
