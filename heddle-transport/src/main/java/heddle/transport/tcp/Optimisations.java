package heddle.transport.tcp;

/**
 * What this package does for speed alone, and what the benchmark of single optimisations switches
 * off in turn, to show what each is worth; always on elsewhere. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: TCP may hold small segments back (RFC 9293 §3.7.4). */
  static final boolean NO_DELAY = Switches.noDelay;

  /** Off: the loop unparks each thread itself. */
  static final boolean RELAYED_WAKE_UPS = Switches.relayedWakeUps;

  /** Off: the loop selects at once after it has woken several. */
  static final boolean YIELDING_LOOP = Switches.yieldingLoop;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean noDelay = true;
    static boolean relayedWakeUps = true;
    static boolean yieldingLoop = true;

    private Switches() {}
  }
}
