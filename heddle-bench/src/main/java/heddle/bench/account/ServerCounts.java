package heddle.bench.account;

import heddle.bench.result.Figure;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * What a server says that it counted since it was asked for the last time.
 *
 * @param fields by name
 */
public record ServerCounts(Map<String, Object> fields) {

  static ServerCounts parse(String json) throws IOException {
    try {
      return new ServerCounts(JSON.std.mapFrom(json));
    } catch (JacksonException e) {
      throw new IOException("the server tells no counts but " + json, e);
    }
  }

  /** The figures of these counts; what the server does not tell is missing. */
  public Map<Figure, Double> figures() {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    Double requests = number("requests");
    if (requests == null) {
      return figures;
    }
    figures.put(Figure.SERVER_REQUESTS, requests);
    if (requests > 0) {
      put(figures, Figure.SERVER_CPU, number("cpuNanos"), 1e3 * requests);
      put(figures, Figure.SERVER_ALLOCATED, number("allocatedBytes"), requests);
      put(figures, Figure.SERVER_VOLUNTARY_SWITCHES, number("voluntarySwitches"), requests);
      put(figures, Figure.SERVER_INVOLUNTARY_SWITCHES, number("involuntarySwitches"), requests);
    }
    put(figures, Figure.SERVER_GC_COUNT, number("gcCount"), 1);
    put(figures, Figure.SERVER_GC_MILLIS, number("gcMillis"), 1);
    put(figures, Figure.SERVER_PEAK, number("peak"), 1);
    put(figures, Figure.SERVER_GC_MAX_MILLIS, number("gcMaxMillis"), 1);
    put(figures, Figure.SERVER_LIVE_SET, number("liveSetBytes"), 1);
    put(figures, Figure.SERVER_PEAK_RSS, number("peakRssBytes"), 1);
    put(figures, Figure.SERVER_THREADS, number("platformThreads"), 1);
    return figures;
  }

  private static void put(
      Map<Figure, Double> figures, Figure figure, @Nullable Double value, double unit) {
    if (value != null) {
      figures.put(figure, value / unit);
    }
  }

  private @Nullable Double number(String name) {
    return fields.get(name) instanceof Number number ? number.doubleValue() : null;
  }
}
