package heddle.transport;

/**
 * What this package does for speed alone, and what the benchmark of single optimisations switches
 * off in turn, to show what each is worth; always on elsewhere. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: each chunk is made anew. */
  static final boolean CHUNKS_POOLED = Switches.chunksPooled;

  /** Off: small chunks come from the pool too, where they take the room of larger ones. */
  static final boolean SMALL_CHUNKS_UNPOOLED = Switches.smallChunksUnpooled;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean chunksPooled = true;
    static boolean smallChunksUnpooled = true;

    private Switches() {}
  }
}
