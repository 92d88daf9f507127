package heddle.bench.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client in one cell. A figure that a client has not is null.
 *
 * @param cell such as {@code h1-64}
 * @param client such as {@code okhttp}
 * @param rounds over how many runs the medians are
 * @param requestsPerSecond successful answers a second
 * @param p50Micros the median latency in microseconds
 * @param p99Micros the 99th percentile of the latency in microseconds
 * @param errors failed requests in all runs together
 * @param errorsByCause the same by cause
 * @param cpuMicrosPerRequest CPU time of the whole client process for each successful answer
 * @param allocatedBytesPerRequest bytes allocated on the heap for each successful answer
 * @param peakHeapBytes the highest use of the heap, garbage included: the sum of the pools' peaks
 * @param heapAfterGcBytes the highest use of the heap after a collection
 * @param peakRssBytes the largest resident set of the process
 * @param platformThreads the most platform threads alive at once, the JVM's own included
 * @param idleJvmThreads how many of those the JVM had before the client started
 */
public record Measurement(
    String cell,
    String client,
    int rounds,
    double requestsPerSecond,
    double p50Micros,
    double p99Micros,
    long errors,
    Map<String, Long> errorsByCause,
    @Nullable Double cpuMicrosPerRequest,
    @Nullable Double allocatedBytesPerRequest,
    @Nullable Long peakHeapBytes,
    @Nullable Long heapAfterGcBytes,
    @Nullable Long peakRssBytes,
    @Nullable Integer platformThreads,
    @Nullable Integer idleJvmThreads) {}
