package heddle.bench.race;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Contender;
import heddle.bench.contender.Entrant;
import heddle.bench.contender.JvmContender;
import heddle.bench.contender.ToolContender;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.experiment.Cell;
import heddle.bench.race.Windows.Outstanding;
import heddle.bench.result.Method;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.tool.Wrk;
import heddle.load.cluster.process.Cores;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanningTest {

  private static final Endpoint SERVER = new Endpoint(
      List.of(URI.create("http://127.0.0.1:1")), new Trust.Default(), "none", Counting.REQUESTS);

  private static final Duration OVERHEAD = Duration.ofMillis(150);

  @Test
  void usualRaceHasTimeForItsWarmUpsAndEndsWithinFourMinutes() {
    Outstanding all = new Outstanding(13, 13 * 5, 0, 10);
    Windows windows = Windows.fitting(Race.BUDGET, all, OVERHEAD);
    assertEquals(Duration.ofSeconds(11), windows.mostWarmUp());
    assertEquals(Duration.ofMillis(600), windows.measured());
    assertTrue(Race.BUDGET.compareTo(Duration.ofSeconds(232)) < 0, Race.BUDGET::toString);
  }

  @Test
  void windowsAndEvenSharesOfWarmUpFillTheBudgetAndDoNotOverrunIt() {
    Outstanding all = new Outstanding(52, 156, 8, 21);
    Windows windows = Windows.fitting(Race.BUDGET, all, OVERHEAD);
    Duration run = windows.settle().plus(windows.measured()).plus(OVERHEAD);
    Duration open =
        windows.openWarmUp().plus(windows.open()).plus(Windows.OPEN_TAIL).plus(OVERHEAD);
    Duration evenWarmUp =
        Duration.ofNanos((long) (windows.mostWarmUp().toNanos() / Windows.WARM_UP_EXCESS));
    Duration wall = evenWarmUp
        .multipliedBy(52)
        .plus(run.multipliedBy(156))
        .plus(open.multipliedBy(8))
        .plus(Duration.ofMillis(1050).multipliedBy(21));
    assertTrue(wall.compareTo(Race.BUDGET) <= 0, () -> "takes " + wall);
    assertTrue(wall.compareTo(Race.BUDGET.minusSeconds(6)) > 0, () -> "leaves off at " + wall);
    assertTrue(windows.measured().compareTo(Duration.ofMillis(250)) >= 0, windows::toString);
  }

  @Test
  void whatAWarmUpLeavesOverGoesToTheNext() {
    Outstanding all = new Outstanding(10, 30, 0, 0);
    Duration left = Duration.ofSeconds(40);
    Windows windows = Windows.fitting(left, all, OVERHEAD);
    Outstanding after = new Outstanding(9, 30, 0, 0);
    Duration slow = left.minus(windows.mostWarmUp());
    Duration quick = left.minus(windows.leastWarmUp());
    Duration afterSlow = windows.withWarmUpFitting(slow, after, OVERHEAD).mostWarmUp();
    Duration afterQuick = windows.withWarmUpFitting(quick, after, OVERHEAD).mostWarmUp();
    assertTrue(afterSlow.compareTo(windows.mostWarmUp()) < 0, afterSlow::toString);
    assertTrue(afterQuick.compareTo(windows.mostWarmUp()) > 0, afterQuick::toString);
    assertEquals(
        windows.measured(), windows.withWarmUpFitting(slow, after, OVERHEAD).measured());
  }

  @Test
  void fewClientsGetLongerWindowsUpToABound() {
    Windows few = Windows.fitting(Race.BUDGET, new Outstanding(4, 12, 0, 0), OVERHEAD);
    assertEquals(Duration.ofSeconds(11), few.mostWarmUp());
    assertEquals(Duration.ofMillis(600), few.measured());
  }

  @Test
  void timeThatIsGoneMakesWindowsShortNotNegative() {
    Duration gone = Duration.ofSeconds(-20);
    Windows windows = Windows.fitting(gone, new Outstanding(3, 40, 2, 5), OVERHEAD);
    assertTrue(windows.measured().toMillis() >= 250, windows::toString);
    assertTrue(windows.settle().toMillis() >= 100, windows::toString);
    assertEquals(windows.leastWarmUp(), windows.mostWarmUp());
  }

  private static Timeline timeline(
      List<Step> steps, @Nullable Double scale, Duration budget, long begin) {
    return new Timeline(steps, scale, budget, begin, System::nanoTime);
  }

  @Test
  void remainingTimeIsEstimatedFromWhatStepsOfTheSameKindHaveTaken() {
    AtomicLong now = new AtomicLong();
    Contender tool = new ToolContender(new Wrk(), List.of(), Path.of("."));
    Entry entry = new Entry(tool, Cells.ALL.getFirst(), SERVER);
    List<Step> steps = List.of(new Step(entry, 1), new Step(entry, 2), new Step(entry, 3));
    Timeline timeline = new Timeline(steps, 1.0, Duration.ZERO, 0, now::get);
    Duration planned = timeline.timeLeft();
    timeline.startStep();
    now.addAndGet(planned.toNanos()); // the first takes as long as all three should
    timeline.endStep(steps.getFirst());
    assertEquals(planned.multipliedBy(2), timeline.timeLeft());
    now.addAndGet(Duration.ofMillis(200).toNanos());
    assertEquals(planned.multipliedBy(2).minusMillis(200), timeline.timeLeft());
  }

  @Test
  void raceThatIsLateLeavesRepetitionsOutAndNothingElse() {
    Contender tool = new ToolContender(new Wrk(), List.of(), Path.of("."));
    Entry entry = new Entry(tool, Cells.ALL.getFirst(), SERVER);
    List<Step> steps = List.of(new Step(entry, 1), new Step(entry, 2), new Step(entry, 3));
    Duration budget = Duration.ofSeconds(100);
    long now = System.nanoTime();
    Timeline early = timeline(steps, null, budget, now);
    Timeline late = timeline(steps, null, budget, now - budget.toNanos());
    Timeline free = timeline(steps, 1.0, budget, now - budget.toNanos());
    for (Step step : steps) {
      assertFalse(early.isShortOfTimeFor(step), step::label);
      assertEquals(step.round() > 1, late.isShortOfTimeFor(step), step::label);
      assertFalse(free.isShortOfTimeFor(step), step::label);
    }
  }

  @Test
  void anotherRoundIsInsertedOnlyIfTheRestStillFits() {
    Contender tool = new ToolContender(new Wrk(), List.of(), Path.of("."));
    Entry entry = new Entry(tool, Cells.ALL.getFirst(), SERVER);
    Step more = new Step(entry, 2);
    long now = System.nanoTime();
    Timeline calm = timeline(List.of(new Step(entry, 1)), null, Duration.ofSeconds(60), now);
    Timeline late = timeline(List.of(new Step(entry, 1)), null, Duration.ofSeconds(2), now);
    assertTrue(calm.insert(List.of(more)));
    assertFalse(late.insert(List.of(more)));
    assertEquals(more, calm.next());
    assertEquals(2, calm.total());
    assertEquals(1, late.total());
    Step other = new Step(new Entry(tool, Cells.ALL.getLast(), SERVER), 1);
    Timeline shared = timeline(List.of(other), null, Windows.reserve(1), now);
    assertFalse(shared.insert(List.of(more)), "the other cell has a right to this time");
  }

  @Test
  void onlyARaceOfWarmClientsWithAControlGoesOnAfterItsRounds() {
    Cell cell = Cells.ALL.getFirst();
    RacePlan usual = RacePlan.DEFAULT;
    assertTrue(usual.goesOnAfter(5, cell));
    assertFalse(usual.goesOnAfter(usual.mostRounds(), cell));
    assertFalse(usual.withRounds(5).goesOnAfter(5, cell));
    assertFalse(usual.withMethod(Method.FRESH).goesOnAfter(5, cell));
    assertFalse(usual.withControl(false).goesOnAfter(5, cell));
  }

  @Test
  void seedDecidesTheOrderInWhichEachRoundHasEveryClientOnceInEachCell() {
    List<Cell> cells = Cells.ALL.subList(0, 3);
    List<Entry> entries = new ArrayList<>();
    for (Cell cell : cells) {
      for (int i = 0; i < 4; i++) {
        entries.add(new Entry(new ToolContender(new Wrk(), List.of(), Path.of(".")), cell, SERVER));
      }
    }
    RacePlan plan = RacePlan.DEFAULT.withMethod(Method.FRESH).withRounds(3).withSeed(7);
    List<Step> steps = Draw.steps(plan, cells, entries);
    assertEquals(steps, Draw.steps(plan, cells, entries));
    assertNotEquals(steps, Draw.steps(plan.withSeed(8), cells, entries));
    for (int round = 1; round <= 3; round++) {
      List<Step> part = steps.subList(12 * (round - 1), 12 * round);
      int number = round;
      assertTrue(part.stream().allMatch(step -> step.round() == number), part::toString);
      assertEquals(Set.copyOf(entries), part.stream().map(Step::entry).collect(toSet()));
      for (int i = 0; i < 12; i += 4) {
        Cell cell = part.get(i).entry().cell();
        assertTrue(part.subList(i, i + 4).stream().allMatch(step -> step.entry().cell() == cell));
      }
    }
  }

  @Test
  void controlIsWarmedUpLastSoThatItsRatioHoldsWhatOnesTurnIsWorth() {
    Cell cell = Cells.ALL.getFirst();
    List<Entry> entries = Stream.of("heddle", "heddle(control)", "okhttp", "jdk")
        .map(name -> Entrant.of("heddle", Profile.TUNED).named(name))
        .map(entrant -> new JvmContender(entrant, ".", new Cores(List.of(), List.of())))
        .map(client -> new Entry(client, cell, SERVER))
        .toList();
    RacePlan plan = RacePlan.DEFAULT.withRounds(3);
    List<String> warming = Draw.steps(plan, List.of(cell), entries).stream()
        .filter(Step::isWarmUp)
        .map(step -> step.entry().contender().name())
        .toList();
    assertEquals(List.of("heddle", "okhttp", "jdk", "heddle(control)"), warming);
  }

  @Test
  void scaleOneIsThePublishedSize() {
    Windows full = Windows.scaled(1);
    assertEquals(Duration.ofSeconds(1), full.openWarmUp());
    assertEquals(Duration.ofSeconds(10), full.open());
    assertEquals(Duration.ofSeconds(5), Windows.scaled(0.5).measured());
  }

  @Test
  void defaultCellsAreTheTwoThatMostProgramsUse() throws RaceException {
    List<String> labels = Cells.find(List.of()).stream().map(Cell::label).toList();
    assertEquals(List.of("h1-64", "h2tls-1x100"), labels);
    assertEquals(Cells.ALL, Cells.find(List.of("all")));
    assertEquals(18, Cells.ALL.size());
  }

  @Test
  void beginningOfANameStandsForAllThatBeginSo() throws RaceException {
    List<String> found =
        Cells.find(List.of("slow-reader", "h1")).stream().map(Cell::label).toList();
    assertEquals(List.of("h1-64", "h1-512", "slow-reader-h2", "slow-reader-h2tls"), found);
  }

  @Test
  void labelsOfCellsSayWhatTheyAre() throws RaceException {
    for (Cell cell : Cells.ALL) {
      assertEquals(cell.label().contains("tls"), cell.tls(), cell.label());
      assertEquals(cell.label().contains("h2"), cell.protocol() == Protocol.HTTP_2, cell.label());
      assertEquals(
          cell.label().contains("1m") ? 1 << 20 : 6, cell.info().contentBytes(), cell.label());
      assertEquals(cell.label().contains("1m"), cell.info().isLarge(), cell.label());
      if (cell.isClosed()) {
        int beside = cell.besideBytes() > 0 ? 1 : 0;
        assertEquals(cell.wire().exchanges(), cell.pace().inFlight() + beside, cell.label());
      }
    }
  }
}
