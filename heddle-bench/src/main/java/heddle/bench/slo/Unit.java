package heddle.bench.slo;

/** What a figure is measured in. */
public enum Unit {
  /** Microseconds; written with ns, us, ms, s or m. */
  TIME,
  /** 0 to 1; written in percent. */
  SHARE,
  /** A number alone: a rate, a count, a ratio. */
  NUMBER
}
