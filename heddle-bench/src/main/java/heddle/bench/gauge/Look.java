package heddle.bench.gauge;

import org.jspecify.annotations.Nullable;

/**
 * The state of a process at some moment.
 *
 * @param nanos on {@link System#nanoTime}
 * @param cpuNanos CPU time of the process so far
 * @param heapBytes in use, garbage included
 * @param committedHeapBytes memory that the JVM has reserved for the heap
 * @param heapAfterGcBytes in use after the last collection; null before the first
 * @param rssBytes the resident set; null if the kernel does not say
 * @param platformThreads alive, the JVM's own included
 */
public record Look(
    long nanos,
    long cpuNanos,
    long heapBytes,
    long committedHeapBytes,
    @Nullable Long heapAfterGcBytes,
    @Nullable Long rssBytes,
    int platformThreads) {}
