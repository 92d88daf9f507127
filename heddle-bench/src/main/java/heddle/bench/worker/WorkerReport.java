package heddle.bench.worker;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * What one run of a client measured, as it travels on a worker's standard output.
 *
 * @param requestsPerSecond successful answers a second
 * @param p50Micros the median latency
 * @param p99Micros the 99th percentile of the latency
 * @param answered how many successful answers the figures rest on
 * @param errorsByCause failed requests by cause
 * @param exampleOfError what one of the failed requests said; empty where none failed
 * @param cpuMicrosPerRequest CPU time of the process for each successful answer
 * @param compilingShare how much of that the JVM's compilers took, 0 to 1
 * @param allocatedBytesPerRequest heap allocation for each successful answer
 * @param peakHeapBytes the sum of the heap pools' peaks
 * @param heapAfterGcBytes the highest use of the heap after a collection
 * @param peakRssBytes the largest resident set, -1 where the kernel does not say
 * @param platformThreads the most platform threads at once
 * @param idleJvmThreads platform threads before the client started
 * @param connections how many were open to the server at the end, -1 where the kernel does not say
 */
public record WorkerReport(
    double requestsPerSecond,
    double p50Micros,
    double p99Micros,
    long answered,
    Map<String, Long> errorsByCause,
    String exampleOfError,
    double cpuMicrosPerRequest,
    double compilingShare,
    double allocatedBytesPerRequest,
    long peakHeapBytes,
    long heapAfterGcBytes,
    long peakRssBytes,
    int platformThreads,
    int idleJvmThreads,
    int connections) {

  /** One line. */
  public String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("requestsPerSecond", requestsPerSecond);
    fields.put("p50Micros", p50Micros);
    fields.put("p99Micros", p99Micros);
    fields.put("answered", answered);
    fields.put("errorsByCause", errorsByCause);
    fields.put("exampleOfError", exampleOfError);
    fields.put("cpuMicrosPerRequest", cpuMicrosPerRequest);
    fields.put("compilingShare", compilingShare);
    fields.put("allocatedBytesPerRequest", allocatedBytesPerRequest);
    fields.put("peakHeapBytes", peakHeapBytes);
    fields.put("heapAfterGcBytes", heapAfterGcBytes);
    fields.put("peakRssBytes", peakRssBytes);
    fields.put("platformThreads", platformThreads);
    fields.put("idleJvmThreads", idleJvmThreads);
    fields.put("connections", connections);
    return JSON.std.asString(fields);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException when it is something else
   */
  public static WorkerReport parse(String json) throws IOException {
    try {
      Map<String, Object> fields = JSON.std.mapFrom(json);
      Map<String, Long> errors = new LinkedHashMap<>();
      if (fields.get("errorsByCause") instanceof Map<?, ?> causes) {
        causes.forEach((cause, count) -> errors.put((String) cause, ((Number) count).longValue()));
      }
      return new WorkerReport(
          number(fields, "requestsPerSecond").doubleValue(),
          number(fields, "p50Micros").doubleValue(),
          number(fields, "p99Micros").doubleValue(),
          number(fields, "answered").longValue(),
          errors,
          String.valueOf(fields.get("exampleOfError")),
          number(fields, "cpuMicrosPerRequest").doubleValue(),
          number(fields, "compilingShare").doubleValue(),
          number(fields, "allocatedBytesPerRequest").doubleValue(),
          number(fields, "peakHeapBytes").longValue(),
          number(fields, "heapAfterGcBytes").longValue(),
          number(fields, "peakRssBytes").longValue(),
          number(fields, "platformThreads").intValue(),
          number(fields, "idleJvmThreads").intValue(),
          number(fields, "connections").intValue());
    } catch (JacksonException e) {
      throw new IOException("a worker's report is no JSON object: " + json, e);
    }
  }

  private static Number number(Map<String, Object> fields, String name) throws IOException {
    if (fields.get(name) instanceof Number number) {
      return number;
    }
    throw new IOException("a worker's report lacks the number " + name + ": " + fields);
  }
}
