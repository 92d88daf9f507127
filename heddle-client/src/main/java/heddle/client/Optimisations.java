package heddle.client;

/**
 * Optimisations of this package that the ablation benchmark switches off one at a time, to show
 * what each is worth; always on otherwise. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: an asynchronous call gets a platform thread. */
  static final boolean CALLS_ON_VIRTUAL_THREADS = Switches.callsOnVirtualThreads;

  private Optimisations() {}

  /**
   * The values of the constants. Only that benchmark changes them, from a class that it adds to
   * this package, before any class of this package is used.
   */
  static final class Switches {
    static boolean callsOnVirtualThreads = true;

    private Switches() {}
  }
}
