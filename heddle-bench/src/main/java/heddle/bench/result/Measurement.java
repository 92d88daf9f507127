package heddle.bench.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client in one cell: medians over its runs. A figure that a client has not is null.
 *
 * @param cell what it was put under
 * @param client such as {@code okhttp}
 * @param rounds over how many runs the medians are
 * @param requestsPerSecond successful answers a second
 * @param p50Micros the median latency in microseconds
 * @param p99Micros the 99th percentile of the latency in microseconds
 * @param errors failed requests in all runs together
 * @param errorsByCause the same by cause
 * @param cpuMicrosPerRequest CPU time of the whole client process for each successful answer
 * @param cpuMicrosPerMiB the same for each MiB of content, sent and received together; null where
 *     requests and answers are small
 * @param compilingShare how much of that CPU time the JVM's compilers took, 0 to 1: a client that
 *     was still getting warm is better than its figures
 * @param allocatedBytesPerRequest bytes allocated on the heap for each successful answer
 * @param peakHeapBytes the highest use of the heap, garbage included: the sum of the pools' peaks
 * @param heapAfterGcBytes the highest use of the heap after a collection
 * @param peakRssBytes the largest resident set of the process
 * @param platformThreads the most platform threads alive at once, the JVM's own included
 * @param idleJvmThreads how many of those the JVM had before the client started
 * @param connectionsOpen how many connections to the server the process had while it was measured,
 *     as the kernel counts them
 * @param keptShare the throughput beside a slow reader, as a share of that without it; null where
 *     there was none
 */
public record Measurement(
    CellInfo cell,
    String client,
    int rounds,
    double requestsPerSecond,
    @Nullable Double p50Micros,
    @Nullable Double p99Micros,
    long errors,
    Map<String, Long> errorsByCause,
    @Nullable Double cpuMicrosPerRequest,
    @Nullable Double cpuMicrosPerMiB,
    @Nullable Double compilingShare,
    @Nullable Double allocatedBytesPerRequest,
    @Nullable Long peakHeapBytes,
    @Nullable Long heapAfterGcBytes,
    @Nullable Long peakRssBytes,
    @Nullable Integer platformThreads,
    @Nullable Integer idleJvmThreads,
    @Nullable Integer connectionsOpen,
    @Nullable Double keptShare) {

  /**
   * Whether the client had the connections of its cell: exactly those over HTTP/2, where their
   * number decides how much goes into one write, and no more over HTTP/1.1.
   */
  public boolean isHeldToItsConnections() {
    Integer open = connectionsOpen;
    if (open == null) {
      return true;
    }
    return cell.streams() > 1 ? open == cell.connections() : open <= cell.connections();
  }
}
