package heddle.bench.worker;

import heddle.bench.driver.DriverRequest;
import heddle.load.LoadPlan;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** An order to a worker, one line of JSON on its standard input. */
public sealed interface WorkerOrder {

  /**
   * Say whether the client can run the load. Answered by a refusal or by done.
   *
   * @param besideSlowReader whether the load also runs next to a slow reader
   */
  record Prepare(LoadPlan plan, boolean besideSlowReader) implements WorkerOrder {}

  /**
   * Run the load until the compilers are idle, with the client that is open for it, or with a new
   * client that replaces one for another load. Answered by done; the client stays open.
   *
   * @param plan the load, whose warm-up is the shortest time
   * @param most the longest time
   */
  record WarmUp(LoadPlan plan, Duration most) implements WorkerOrder {}

  /** Run the load, with the client that is open for it if there is one. Answered by a report. */
  record Measure(LoadPlan plan) implements WorkerOrder {}

  /** The same while an additional caller slowly reads a large answer. Answered by a report. */
  record MeasureBeside(LoadPlan plan, DriverRequest large) implements WorkerOrder {}

  /**
   * Wait until the compilers' queue is empty. Answered by done.
   *
   * @param most the longest time
   */
  record Settle(Duration most) implements WorkerOrder {}

  /** Close the client that is open, if there is one. Answered by done. */
  record Rest() implements WorkerOrder {}

  /**
   * Run on these cores from now on. Answered by done.
   *
   * @param cores the cores of all threads but the compilers'
   * @param compilers the cores of the JVM's compilers
   */
  record Pin(List<Integer> cores, List<Integer> compilers) implements WorkerOrder {

    /** Copies the lists. */
    public Pin {
      cores = List.copyOf(cores);
      compilers = List.copyOf(compilers);
    }
  }

  /** The order as one line. */
  default String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("order", getClass().getSimpleName());
    switch (this) {
      case Prepare(LoadPlan plan, boolean besideSlowReader) -> {
        fields.put("plan", PlanJson.write(plan));
        fields.put("besideSlowReader", besideSlowReader);
      }
      case WarmUp(LoadPlan plan, Duration most) -> {
        fields.put("plan", PlanJson.write(plan));
        fields.put("mostNanos", most.toNanos());
      }
      case Settle(Duration most) -> fields.put("mostNanos", most.toNanos());
      case Measure(LoadPlan plan) -> fields.put("plan", PlanJson.write(plan));
      case MeasureBeside(LoadPlan plan, DriverRequest large) -> {
        fields.put("plan", PlanJson.write(plan));
        fields.put("largeUri", large.uri().toString());
        fields.put("largeLength", large.expectedLength());
      }
      case Pin(List<Integer> cores, List<Integer> compilers) -> {
        fields.put("cores", cores);
        fields.put("compilers", compilers);
      }
      case Rest _ -> {
        // No further fields.
      }
    }
    return JSON.std.asString(fields);
  }

  /**
   * Reads the output of {@link #toJson}.
   *
   * @throws IOException if it is malformed
   */
  static WorkerOrder parse(String json) throws IOException {
    try {
      Map<String, Object> fields = JSON.std.mapFrom(json);
      String order = String.valueOf(fields.get("order"));
      return switch (order) {
        case "Prepare" ->
          new Prepare(plan(fields), Boolean.TRUE.equals(fields.get("besideSlowReader")));
        case "WarmUp" -> new WarmUp(plan(fields), most(fields));
        case "Settle" -> new Settle(most(fields));
        case "Measure" -> new Measure(plan(fields));
        case "MeasureBeside" -> new MeasureBeside(plan(fields), large(fields));
        case "Pin" -> new Pin(cores(fields, "cores"), cores(fields, "compilers"));
        case "Rest" -> new Rest();
        default -> throw new IOException("a worker knows no order " + order);
      };
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException("a worker cannot read its order: " + json, e);
    }
  }

  private static LoadPlan plan(Map<String, Object> fields) throws IOException {
    if (fields.get("plan") instanceof Map<?, ?> plan) {
      return PlanJson.read(plan);
    }
    throw new IOException("a worker's order lacks its plan: " + fields);
  }

  private static DriverRequest large(Map<String, Object> fields) throws IOException {
    if (fields.get("largeUri") instanceof String uri
        && fields.get("largeLength") instanceof Number length) {
      return new DriverRequest(URI.create(uri), 0, length.longValue());
    }
    throw new IOException("a worker's order lacks its large answer: " + fields);
  }

  private static Duration most(Map<String, Object> fields) throws IOException {
    if (fields.get("mostNanos") instanceof Number nanos) {
      return Duration.ofNanos(nanos.longValue());
    }
    throw new IOException("a worker's order lacks its longest time: " + fields);
  }

  private static List<Integer> cores(Map<String, Object> fields, String whose) throws IOException {
    List<Integer> cores = new ArrayList<>();
    if (fields.get(whose) instanceof List<?> all) {
      for (Object each : all) {
        cores.add(((Number) each).intValue());
      }
      return cores;
    }
    throw new IOException("a worker's order lacks its " + whose + ": " + fields);
  }
}
