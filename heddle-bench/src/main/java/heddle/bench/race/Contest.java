package heddle.bench.race;

import heddle.bench.load.LoadPlan;
import heddle.bench.result.RunFigures;
import heddle.bench.server.Servers;
import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The running of a race: every JVM is warmed up once in each of its cells, then all are measured in
 * rounds, each round in an order of its own. Used by one thread.
 */
final class Contest {

  /** A client whose JVM dies more often than this is out. */
  private static final int MAX_RESTARTS = 2;

  private final RaceOptions options;
  private final Servers servers;
  private final RaceListener listener;
  private final long begin = System.nanoTime();
  private final Map<Entry, List<RunFigures>> figures = new LinkedHashMap<>();
  private final Map<String, Integer> restarts = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Set<String> omissions = new LinkedHashSet<>();
  private final Map<String, String> serverNames = new LinkedHashMap<>();
  private final List<Entry> entries = new ArrayList<>();

  Contest(RaceOptions options, Servers servers, RaceListener listener) {
    this.options = options;
    this.servers = servers;
    this.listener = listener;
  }

  /** What came of it, by entry; entries without figures are missing. */
  Map<Entry, List<RunFigures>> figures() {
    return figures;
  }

  /** Runs that gave no figures. */
  List<String> failures() {
    return failures;
  }

  /** Who was left out of what, and why. */
  List<String> omissions() {
    return List.copyOf(omissions);
  }

  /** What served which group of cells. */
  Map<String, String> serverNames() {
    return serverNames;
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  void run(List<Cell> cells, List<Contender> contenders, Duration budget)
      throws RaceException, InterruptedException {
    enter(cells, contenders);
    Timeline timeline = new Timeline(schedule(), options.scale(), budget, begin);
    Windows windows = timeline.startRound();
    int round = 0;
    for (Step step : timeline.steps()) {
      if (step.round() != round) {
        if (round == 0) {
          pin(timeline);
        }
        round = step.round();
        windows = timeline.startRound();
      }
      timeline.startStep();
      if (!timeline.isDropped(step.entry())) {
        perform(step, windows, timeline);
      }
      timeline.endStep(step);
    }
  }

  /** Starts the servers and the clients, and finds out who can be put under what. */
  private void enter(List<Cell> cells, List<Contender> contenders)
      throws RaceException, InterruptedException {
    Map<Cell, Endpoint> endpoints = new LinkedHashMap<>();
    for (Cell cell : cells) {
      tell("starting the servers");
      try {
        Endpoint endpoint = servers.endpoint(cell.protocol(), cell.tls());
        endpoints.put(cell, endpoint);
        serverNames.put(cell.info().group(), endpoint.server());
      } catch (IOException e) {
        throw new RaceException("the server for " + cell.label() + ": " + e.getMessage(), e);
      }
    }
    for (Contender contender : contenders) {
      tell("starting " + contender.name());
      try {
        if (contender instanceof JvmContender client) {
          client.start(() -> {});
        }
        enter(contender, endpoints);
      } catch (IOException e) {
        failures.add(contender.name() + ": " + e.getMessage());
      }
    }
  }

  private void enter(Contender contender, Map<Cell, Endpoint> endpoints)
      throws IOException, InterruptedException {
    for (Map.Entry<Cell, Endpoint> each : endpoints.entrySet()) {
      Entry entry = new Entry(contender, each.getKey(), each.getValue());
      String refusal = contender.refusal(entry.plan(Windows.scaled(1)));
      if (refusal == null) {
        entries.add(entry);
      } else if (entry.isJvm()) {
        omissions.add(entry.label() + ": " + refusal);
      }
    }
  }

  private List<Step> schedule() {
    List<Step> steps = new ArrayList<>();
    for (Contender contender : entries.stream().map(Entry::contender).distinct().toList()) {
      List<Step> once = entries.stream()
          .filter(e -> e.contender() == contender && e.isJvm() && e.cell().isClosed())
          .map(e -> new Step(e, 0))
          .toList();
      for (int pass = 0; pass < Step.WARM_UP_PASSES; pass++) {
        steps.addAll(once);
      }
    }
    Random random = new Random(options.seed());
    for (int round = 1; round <= options.rounds(); round++) {
      List<Step> ofRound = new ArrayList<>();
      for (Entry entry : entries) {
        if (round <= entry.cell().rounds(options.rounds())) {
          ofRound.add(new Step(entry, round));
        }
      }
      Collections.shuffle(ofRound, random);
      steps.addAll(ofRound);
    }
    return steps;
  }

  private void pin(Timeline timeline) throws InterruptedException {
    for (Contender each : entries.stream().map(Entry::contender).distinct().toList()) {
      if (each instanceof JvmContender client) {
        try {
          client.pin();
        } catch (IOException e) {
          failures.add(client.name() + ": " + e.getMessage());
          dropAll(client, timeline);
        }
      }
    }
  }

  private void perform(Step step, Windows windows, Timeline timeline)
      throws RaceException, InterruptedException {
    Runnable tick = () -> tell(step, timeline);
    tick.run();
    Entry entry = step.entry();
    try {
      if (step.isWarmUp() && entry.contender() instanceof JvmContender client) {
        client.warmUp(warmUp(entry, windows), tick);
      } else {
        RunFigures found = entry.contender().measure(entry.plan(windows), tick);
        figures.computeIfAbsent(entry, _ -> new ArrayList<>()).add(found);
        noteErrors(step, found);
      }
    } catch (WorkerLostException e) {
      failures.add(step.label() + ": " + e.getMessage());
      timeline.drop(entry);
      recover(step, windows, timeline, tick);
    } catch (IOException e) {
      failures.add(step.label() + ": " + e.getMessage());
      if (step.isWarmUp()) {
        timeline.drop(entry);
      }
    }
    if (!servers.areAlive()) {
      throw new RaceException("a server ended during " + step.label());
    }
  }

  private static LoadPlan warmUp(Entry entry, Windows windows) {
    return entry.cell().warmUp(entry.server(), windows.warmUp().dividedBy(Step.WARM_UP_PASSES));
  }

  private void noteErrors(Step step, RunFigures found) {
    if (!found.errorsByCause().isEmpty()
        && step.entry().contender() instanceof JvmContender client) {
      failures.add(step.label() + ": some requests failed, such as: " + client.exampleOfError());
    }
  }

  /**
   * A client whose JVM is lost gets another, which is warmed up for the cells that are left to it.
   * It takes no part any more in the cell in which it was lost.
   */
  private void recover(Step step, Windows windows, Timeline timeline, Runnable tick)
      throws InterruptedException {
    if (!(step.entry().contender() instanceof JvmContender client)) {
      return;
    }
    int count = restarts.merge(client.name(), 1, Integer::sum);
    @Nullable IOException cause = null;
    if (count <= MAX_RESTARTS) {
      try {
        client.start(tick);
        for (Entry entry : entries) {
          boolean isLeft = entry.contender() == client && !timeline.isDropped(entry);
          if (isLeft && entry.cell().isClosed()) {
            client.warmUp(warmUp(entry, windows), tick);
          }
        }
        if (!step.isWarmUp()) {
          client.pin();
        }
        return;
      } catch (IOException e) {
        cause = e;
      }
    }
    failures.add(client.name() + " is out: "
        + (cause == null ? "its JVM was lost too often" : String.valueOf(cause.getMessage())));
    dropAll(client, timeline);
  }

  private void dropAll(JvmContender client, Timeline timeline) {
    entries.stream().filter(entry -> entry.contender() == client).forEach(timeline::drop);
    client.close();
  }

  private void tell(String doing) {
    listener.progress(new RaceListener.Progress(doing, 0, 1, Race.BUDGET));
  }

  private void tell(Step step, Timeline timeline) {
    String doing = step.isWarmUp()
        ? step.label()
        : step.label() + " of " + step.entry().cell().rounds(options.rounds());
    listener.progress(
        new RaceListener.Progress(doing, timeline.done(), timeline.total(), timeline.timeLeft()));
  }
}
