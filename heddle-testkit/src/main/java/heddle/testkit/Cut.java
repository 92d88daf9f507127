package heddle.testkit;

/** How a connection is cut. */
public enum Cut {
  /** The receiver sees an orderly end of the stream (a FIN); the other direction stays open. */
  END,
  /** Both sides see {@code IOException: Connection reset} (an RST). */
  RESET
}
