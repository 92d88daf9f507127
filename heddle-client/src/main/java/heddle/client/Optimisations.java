package heddle.client;

/**
 * What this package does for speed alone, and what the benchmark of single optimisations switches
 * off in turn, to show what each is worth; on for everybody else. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: an asynchronous call gets a platform thread. */
  static final boolean CALLS_ON_VIRTUAL_THREADS = Switches.callsOnVirtualThreads;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean callsOnVirtualThreads = true;

    private Switches() {}
  }
}
