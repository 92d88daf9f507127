package heddle.codec.http2;

/**
 * What this package does only for speed. The benchmark of single optimisations switches each off in
 * turn to measure what it gains; otherwise all are on. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: bytes that were read are given back to a window at once. */
  static final boolean CREDIT_IN_BATCHES = Switches.creditInBatches;

  /** Off: streams get credit after their end too, which peers have to bear (RFC 9113 §5.1). */
  static final boolean NO_CREDIT_AFTER_END = Switches.noCreditAfterEnd;

  /** Off: control frames wait behind all that was queued before. */
  static final boolean CONTROL_FIRST = Switches.controlFirst;

  /** Off: each frame is a separate buffer. */
  static final boolean FRAMES_JOINED = Switches.framesJoined;

  /** Off: each batch of output is encoded into new buffers. */
  static final boolean OUTPUT_REUSED = Switches.outputReused;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean creditInBatches = true;
    static boolean noCreditAfterEnd = true;
    static boolean controlFirst = true;
    static boolean framesJoined = true;
    static boolean outputReused = true;

    private Switches() {}
  }
}
