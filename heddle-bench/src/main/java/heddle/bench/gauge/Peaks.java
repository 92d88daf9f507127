package heddle.bench.gauge;

import org.jspecify.annotations.Nullable;

/**
 * Maxima since they were last reset.
 *
 * @param heapBytes the sum of the heap pools' peaks, garbage included: never less than the true one
 * @param heapAfterGcBytes the highest use of the heap after a collection
 * @param liveSetBytes the live set, after a full collection
 * @param rssBytes the largest resident set; null if the kernel does not say
 * @param gcMaxMillis the longest collection that was not explicit
 * @param platformThreads alive at once, the JVM's own included
 */
public record Peaks(
    long heapBytes,
    long heapAfterGcBytes,
    long liveSetBytes,
    @Nullable Long rssBytes,
    long gcMaxMillis,
    int platformThreads) {}
