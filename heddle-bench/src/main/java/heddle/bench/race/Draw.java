package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.result.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Draws the order of a race. The same seed gives the same order. */
final class Draw {

  private Draw() {}

  /** The steps in their order. Clients in the same cell and round run one after the other. */
  static List<Step> steps(RacePlan plan, List<Cell> cells, List<Entry> entries) {
    Random random = new Random(plan.seed());
    return plan.method() == Method.WARM
        ? warm(plan, cells, entries, random)
        : fresh(plan, cells, entries, random);
  }

  /**
   * Cell by cell: all are warmed up, then measured in rounds. The control is warmed up last, so
   * that effects of the order, such as a server that is not warm yet, show in its ratio, and no
   * verdict is finer than that.
   */
  private static List<Step> warm(
      RacePlan plan, List<Cell> cells, List<Entry> entries, Random random) {
    String control = plan.design("", true).control();
    List<Step> steps = new ArrayList<>();
    for (Cell cell : sharesLast(cells)) {
      List<Entry> here = in(cell, entries);
      here.stream()
          .filter(entry -> entry.isJvm() && cell.isWarmedUp())
          .sorted(Comparator.comparing(entry -> entry.contender().name().equals(control)))
          .forEach(entry -> steps.add(new Step(entry, 0)));
      for (int round = 1; round <= plan.rounds(cell); round++) {
        int number = round;
        List<Step> ofRound =
            new ArrayList<>(here.stream().map(entry -> new Step(entry, number)).toList());
        Collections.shuffle(ofRound, random);
        steps.addAll(ofRound);
      }
    }
    return steps;
  }

  /** Round by round through all cells, so that a slow drift of the machine affects all of them. */
  private static List<Step> fresh(
      RacePlan plan, List<Cell> cells, List<Entry> entries, Random random) {
    List<Step> steps = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      List<Cell> mixed = new ArrayList<>(cells);
      Collections.shuffle(mixed, random);
      for (Cell cell : sharesLast(mixed)) {
        List<Entry> here = in(cell, entries);
        Collections.shuffle(here, random);
        for (Entry entry : here) {
          steps.add(new Step(entry, round, entry.isJvm()));
        }
      }
    }
    return steps;
  }

  /** Moves cells that depend on another one behind it. */
  private static List<Cell> sharesLast(List<Cell> cells) {
    return cells.stream()
        .sorted(Comparator.comparing(cell -> cell.share() != null))
        .toList();
  }

  private static List<Entry> in(Cell cell, List<Entry> entries) {
    return new ArrayList<>(
        entries.stream().filter(entry -> entry.cell() == cell).toList());
  }
}
