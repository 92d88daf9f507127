package heddle.connection.http2;

/**
 * Optimisations of this package that a benchmark switches off one at a time, to measure what each
 * is worth; always on otherwise. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: the ordering lock is held while the socket is written to. */
  static final boolean WRITING_UNLOCKED = Switches.writingUnlocked;

  /** Off: a thread for each connection writes what the others queue. */
  static final boolean CALLERS_WRITE = Switches.callersWrite;

  /** Off: the thread that has won the right to write writes at once. */
  static final boolean WRITER_LETS_OTHERS_QUEUE = Switches.writerLetsOthersQueue;

  private Optimisations() {}

  /**
   * The values of the constants. Changed only by that benchmark, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean writingUnlocked = true;
    static boolean callersWrite = true;
    static boolean writerLetsOthersQueue = true;

    private Switches() {}
  }
}
