package heddle.bench.gauge;

import org.jspecify.annotations.Nullable;

/**
 * What only grows while a process lives. What the platform does not tell is null.
 *
 * @param cpuNanos CPU time of the whole process
 * @param compilerNanos of that, what the JVM's compilers took
 * @param allocatedBytes by all platform threads, and so by the virtual threads they carried
 * @param gcCount how many collections there were
 * @param gcMillis how long they took in all
 * @param voluntarySwitches how often living threads have given up a core
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

  /** What has come since then. */
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

  /** Threads that ended take with them what was counted for them: never below 0. */
  private static @Nullable Long difference(@Nullable Long now, @Nullable Long before) {
    return now == null || before == null ? null : Math.max(0, now - before);
  }
}
