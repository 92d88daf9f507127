package heddle.bench.race;

/**
 * One thing that a race does.
 *
 * @param entry for whom
 * @param round from 1; 0 for a warm-up
 * @param isFresh whether it begins with a JVM of its own and its warm-up
 */
record Step(Entry entry, int round, boolean isFresh) {

  /** A step of a client whose JVM runs already. */
  Step(Entry entry, int round) {
    this(entry, round, false);
  }

  boolean isWarmUp() {
    return round == 0;
  }

  String label() {
    return entry.label() + (isWarmUp() ? ", warming up" : ", round " + round);
  }
}
