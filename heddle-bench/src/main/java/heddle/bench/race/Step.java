package heddle.bench.race;

/**
 * One thing that a race does.
 *
 * @param entry for whom
 * @param round from 1; 0 for a warm-up
 */
record Step(Entry entry, int round) {

  /**
   * Each cell is warmed up for twice: what the second cell teaches the compiler undoes the first.
   */
  static final int WARM_UP_PASSES = 2;

  boolean isWarmUp() {
    return round == 0;
  }

  String label() {
    return entry.label() + (isWarmUp() ? ", warming up" : ", round " + round);
  }
}
