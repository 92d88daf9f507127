package heddle.bench.account;

import heddle.bench.result.Figure;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * What a server says that it counted.
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

  /** The figures of what lies between the two looks; what the server does not tell is missing. */
  public Map<Figure, Double> since(ServerCounts before) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    Double requests = grown("requests", before);
    if (requests == null) {
      return figures;
    }
    figures.put(Figure.SERVER_REQUESTS, requests);
    double each = Math.max(1, requests);
    put(figures, Figure.SERVER_CPU, grown("cpuNanos", before), 1e3 * each);
    put(figures, Figure.SERVER_ALLOCATED, grown("allocatedBytes", before), each);
    put(figures, Figure.SERVER_VOLUNTARY_SWITCHES, grown("voluntarySwitches", before), each);
    put(figures, Figure.SERVER_INVOLUNTARY_SWITCHES, grown("involuntarySwitches", before), each);
    put(figures, Figure.SERVER_GC_COUNT, grown("gcCount", before), 1);
    put(figures, Figure.SERVER_GC_MILLIS, grown("gcMillis", before), 1);
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

  private @Nullable Double grown(String name, ServerCounts before) {
    Double now = number(name);
    Double then = before.number(name);
    return now == null || then == null ? null : now - then;
  }

  private @Nullable Double number(String name) {
    return fields.get(name) instanceof Number number ? number.doubleValue() : null;
  }
}
