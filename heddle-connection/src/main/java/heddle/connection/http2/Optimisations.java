package heddle.connection.http2;

/**
 * What this package does for speed alone, and what the benchmark of single optimisations switches
 * off in turn, to show what each is worth; on for everybody else. As constants they cost nothing.
 */
final class Optimisations {
  /** Off: the ordering lock is held while the socket is written to. */
  static final boolean WRITING_UNLOCKED = Switches.writingUnlocked;

  /** Off: a thread for each connection writes what the others queue. */
  static final boolean CALLERS_WRITE = Switches.callersWrite;

  /** Off: who has won the right to write writes at once. */
  static final boolean WRITER_LETS_OTHERS_QUEUE = Switches.writerLetsOthersQueue;

  private Optimisations() {}

  /**
   * What the constants become. Changed by that benchmark alone, whose module has a class in this
   * package, before any class of this package is used.
   */
  static final class Switches {
    static boolean writingUnlocked = true;
    static boolean callersWrite = true;
    static boolean writerLetsOthersQueue = true;

    private Switches() {}
  }
}
