package heddle.bench.race;

/**
 * One step of a race.
 *
 * @param entry the contender and the cell
 * @param round from 1; 0 for a warm-up
 * @param isFresh whether it begins with a new JVM and its warm-up
 */
record Step(Entry entry, int round, boolean isFresh) {

  /** Creates a step of a client whose JVM is running. */
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
