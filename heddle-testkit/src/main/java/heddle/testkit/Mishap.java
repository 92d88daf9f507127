package heddle.testkit;

/** What may befall the connections, names and clock of a {@link SimWorld}. */
public enum Mishap {
  /** An attempt to connect is refused. */
  REFUSE,
  /** An attempt to connect is never answered. */
  BLACK_HOLE,
  /** An attempt to connect is answered late. */
  LATE,
  /** A connection ends in one direction at some byte; the other direction lives on. */
  CUT,
  /** A connection is reset at some byte. */
  RESET,
  /** From some byte on nothing comes through any more, in both directions, and nobody says so. */
  SILENCE,
  /** From some byte on nothing comes through in one direction for a while. */
  PAUSE,
  /** A direction is slow: some bytes now, some a while later. */
  SLOW,
  /** A name cannot be resolved this time. */
  NO_NAME,
  /** A name resolves to some of its addresses only, in another order. */
  MOVED_NAME,
  /** A name takes long to resolve. */
  SLOW_NAME,
  /** The monotonic clock leaps forward, and the time of day in any direction. */
  LEAP
}
