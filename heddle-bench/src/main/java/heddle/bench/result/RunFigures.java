package heddle.bench.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run; null for what the client has not. {@link Measurement} has their meaning.
 */
public record RunFigures(
    double requestsPerSecond,
    @Nullable Double p50Micros,
    @Nullable Double p99Micros,
    Map<String, Long> errorsByCause,
    double cpuMicrosPerRequest,
    @Nullable Double compilingShare,
    @Nullable Double allocatedBytesPerRequest,
    @Nullable Double peakHeapBytes,
    @Nullable Double heapAfterGcBytes,
    @Nullable Double peakRssBytes,
    @Nullable Double platformThreads,
    @Nullable Double idleJvmThreads,
    @Nullable Double connectionsOpen,
    @Nullable Double keptShare) {

  /** The figures of a program without a JVM. */
  public static RunFigures ofProgram(
      double requestsPerSecond,
      @Nullable Double p50Micros,
      @Nullable Double p99Micros,
      Map<String, Long> errorsByCause,
      double cpuMicrosPerRequest) {
    return new RunFigures(
        requestsPerSecond,
        p50Micros,
        p99Micros,
        errorsByCause,
        cpuMicrosPerRequest,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /**
   * These, measured beside a slow reader.
   *
   * @param aloneRequestsPerSecond what the same load reached without it
   */
  public RunFigures comparedTo(double aloneRequestsPerSecond) {
    return new RunFigures(
        requestsPerSecond,
        p50Micros,
        p99Micros,
        errorsByCause,
        cpuMicrosPerRequest,
        compilingShare,
        allocatedBytesPerRequest,
        peakHeapBytes,
        heapAfterGcBytes,
        peakRssBytes,
        platformThreads,
        idleJvmThreads,
        connectionsOpen,
        requestsPerSecond / aloneRequestsPerSecond);
  }
}
