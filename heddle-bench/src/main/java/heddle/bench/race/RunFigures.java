package heddle.bench.race;

import heddle.bench.worker.WorkerReport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of one run; null for what the client has not. See the result for their meaning. */
record RunFigures(
    double requestsPerSecond,
    double p50Micros,
    double p99Micros,
    Map<String, Long> errorsByCause,
    double cpuMicrosPerRequest,
    @Nullable Double allocatedBytesPerRequest,
    @Nullable Double peakHeapBytes,
    @Nullable Double heapAfterGcBytes,
    @Nullable Double peakRssBytes,
    @Nullable Double platformThreads,
    @Nullable Double idleJvmThreads) {

  static RunFigures of(WorkerReport report) {
    return new RunFigures(
        report.requestsPerSecond(),
        report.p50Micros(),
        report.p99Micros(),
        report.errorsByCause(),
        report.cpuMicrosPerRequest(),
        report.allocatedBytesPerRequest(),
        (double) report.peakHeapBytes(),
        (double) report.heapAfterGcBytes(),
        report.peakRssBytes() < 0 ? null : (double) report.peakRssBytes(),
        (double) report.platformThreads(),
        (double) report.idleJvmThreads());
  }
}
