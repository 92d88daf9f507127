package heddle.transport.tls;

/**
 * What this package does for speed alone, and what the benchmark of single optimisations switches
 * off in turn, to show what each is worth; always on elsewhere. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: each buffer that is to be written gets separate records. */
  static final boolean GATHERED_RECORDS = Switches.gatheredRecords;

  /** Off: each record is written alone. */
  static final boolean RECORDS_WRITTEN_TOGETHER = Switches.recordsWrittenTogether;

  /** Off: ciphertext goes into direct buffers. */
  static final boolean HEAP_BUFFERS = Switches.heapBuffers;

  /** Off: each buffer for ciphertext is made anew. */
  static final boolean BUFFERS_POOLED = Switches.buffersPooled;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean gatheredRecords = true;
    static boolean recordsWrittenTogether = true;
    static boolean heapBuffers = true;
    static boolean buffersPooled = true;

    private Switches() {}
  }
}
