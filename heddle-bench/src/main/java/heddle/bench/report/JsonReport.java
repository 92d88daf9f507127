package heddle.bench.report;

import heddle.bench.result.Environment;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** The result of a race as JSON. */
public final class JsonReport {

  private static final JSON PRETTY =
      JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES);

  private JsonReport() {}

  /**
   * An object with the environment, the list {@code "results"} (an object for each cell and
   * client; a figure that a client has not is null) and the failures. Ends with a line break.
   */
  public static String render(RaceResult result) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", environment(result.environment()));
    all.put("results", result.results().stream().map(JsonReport::measurement).toList());
    all.put("failures", result.failures());
    all.put("omissions", result.omissions());
    return PRETTY.asString(all) + "\n";
  }

  private static Map<String, Object> environment(Environment environment) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("date", environment.date());
    fields.put("jdk", environment.jdk());
    fields.put("os", environment.os());
    fields.put("cpu", environment.cpu());
    fields.put("cores", environment.cores());
    fields.put("serverCores", environment.serverCores());
    fields.put("clientCores", environment.clientCores());
    fields.put("jvmFlags", environment.jvmFlags());
    fields.put("versions", environment.versions());
    fields.put("servers", environment.servers());
    fields.put("profile", environment.profile());
    fields.put("rounds", environment.rounds());
    fields.put("seed", environment.seed());
    fields.put("wallSeconds", environment.wallSeconds());
    return fields;
  }

  private static Map<String, @Nullable Object> measurement(Measurement measurement) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("cell", measurement.cell().name());
    fields.put("protocol", measurement.cell().protocol());
    fields.put("tls", measurement.cell().tls());
    fields.put("connections", measurement.cell().connections());
    fields.put("streams", measurement.cell().streams());
    fields.put("method", measurement.cell().method());
    fields.put("path", measurement.cell().path());
    fields.put("contentBytes", measurement.cell().contentBytes());
    fields.put("client", measurement.client());
    fields.put("rounds", measurement.rounds());
    fields.put("requestsPerSecond", measurement.requestsPerSecond());
    fields.put("p50Micros", measurement.p50Micros());
    fields.put("p99Micros", measurement.p99Micros());
    fields.put("errors", measurement.errors());
    fields.put("errorsByCause", measurement.errorsByCause());
    fields.put("cpuMicrosPerRequest", measurement.cpuMicrosPerRequest());
    fields.put("cpuMicrosPerMiB", measurement.cpuMicrosPerMiB());
    fields.put("compilingShare", measurement.compilingShare());
    fields.put("allocatedBytesPerRequest", measurement.allocatedBytesPerRequest());
    fields.put("peakHeapBytes", measurement.peakHeapBytes());
    fields.put("heapAfterGcBytes", measurement.heapAfterGcBytes());
    fields.put("peakRssBytes", measurement.peakRssBytes());
    fields.put("platformThreads", measurement.platformThreads());
    fields.put("idleJvmThreads", measurement.idleJvmThreads());
    fields.put("connectionsOpen", measurement.connectionsOpen());
    fields.put("keptShare", measurement.keptShare());
    fields.put("heldToConnections", measurement.isHeldToItsConnections());
    return fields;
  }
}
