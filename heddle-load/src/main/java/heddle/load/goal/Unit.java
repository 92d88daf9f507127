package heddle.load.goal;

/** The unit of a figure. */
public enum Unit {
  /** Microseconds; written with ns, us, ms, s or m. */
  TIME,
  /** 0 to 1; written in percent. */
  SHARE,
  /** A plain number: a rate, a count, a ratio. */
  NUMBER
}
