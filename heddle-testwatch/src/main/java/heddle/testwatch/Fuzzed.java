package heddle.testwatch;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Runs a target. Jazzer calls it by the names of its methods. */
public final class Fuzzed {
  /** Names the class and the constant of the target that Jazzer searches. */
  static final String TARGET = "heddle.fuzz.target";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Fuzzed() {}

  /** Only in the process of Jazzer. */
  private static final class Searched {
    static final FuzzTarget TARGET = find(System.getProperty(Fuzzed.TARGET, ""));
  }

  /** Loads the classes that the target needs: the time for an input is limited. */
  public static void fuzzerInitialize() throws Exception {
    for (byte[] seed : Searched.TARGET.seeds()) {
      Searched.TARGET.run(seed);
    }
  }

  /** Takes one input; whatever it throws is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    run(Searched.TARGET, input);
  }

  static void run(FuzzTarget target, byte[] input) throws Exception {
    long most = target.maxAllocatedBytes(input);
    // The first run may load classes, which allocates too.
    if (allocatedBytes(target, input) > most) {
      long bytes = allocatedBytes(target, input);
      if (bytes > most) {
        throw new AssertionError("%s allocates %d bytes for an input of %d, at most %d are allowed"
            .formatted(target.name(), bytes, input.length, most));
      }
    }
  }

  private static long allocatedBytes(FuzzTarget target, byte[] input) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    target.run(input);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static FuzzTarget find(String name) {
    int separator = name.lastIndexOf('.');
    try {
      for (Object each : Class.forName(name.substring(0, separator)).getEnumConstants()) {
        if (each instanceof FuzzTarget target
            && target.name().equals(name.substring(separator + 1))) {
          return target;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("there is no target " + name, e);
    }
    throw new IllegalStateException("there is no target " + name);
  }
}
