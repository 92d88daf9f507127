package heddle.bench.gauge;

import org.jspecify.annotations.Nullable;

/**
 * Counts that only grow while a process lives; null if the platform does not provide them.
 *
 * @param cpuNanos CPU time of the whole process
 * @param compilerNanos of that, what the JVM's compilers took
 * @param allocatedBytes by all platform threads, including the virtual threads they carried
 * @param gcCount how many collections there were
 * @param gcMillis how long they took in all
 * @param voluntarySwitches how often threads that still live have given up a core
 * @param involuntarySwitches how often the kernel took it away
 * @param connectionsBegun by this machine, as the kernel counts them
 */
public record Counts(
    long cpuNanos,
    long compilerNanos,
    long allocatedBytes,
    long gcCount,
    long gcMillis,
    @Nullable Long voluntarySwitches,
    @Nullable Long involuntarySwitches,
    @Nullable Long connectionsBegun) {

  /** The difference to an earlier count. */
  public Counts since(Counts before) {
    return new Counts(
        cpuNanos - before.cpuNanos,
        compilerNanos - before.compilerNanos,
        allocatedBytes - before.allocatedBytes,
        gcCount - before.gcCount,
        gcMillis - before.gcMillis,
        difference(voluntarySwitches, before.voluntarySwitches),
        difference(involuntarySwitches, before.involuntarySwitches),
        difference(connectionsBegun, before.connectionsBegun));
  }

  /** Never below 0: the counts of threads that have ended are lost. */
  private static @Nullable Long difference(@Nullable Long now, @Nullable Long before) {
    return now == null || before == null ? null : Math.max(0, now - before);
  }
}
