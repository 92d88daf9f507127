package heddle.bench.race;

/**
 * One thing that a race does.
 *
 * @param entry for whom
 * @param round from 1; 0 for a warm-up
 */
record Step(Entry entry, int round) {

  boolean isWarmUp() {
    return round == 0;
  }

  String label() {
    return entry.label() + (isWarmUp() ? ", warming up" : ", round " + round);
  }
}
