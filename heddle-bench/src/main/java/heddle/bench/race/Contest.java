package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.JvmContender;
import heddle.bench.contender.WorkerLostException;
import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Experiment;
import heddle.bench.result.Costs;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Measurement;
import heddle.bench.result.Method;
import heddle.bench.result.Run;
import heddle.bench.server.Servers;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.server.Serving;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a race cell by cell: all clients are warmed up in the cell, then measured in rounds, each
 * round in its own order, then all are closed. Used by one thread.
 */
final class Contest {

  /** A client whose JVM dies more often than this is excluded. */
  private static final int MAX_RESTARTS = 2;

  private final RaceOptions options;
  private final Places places;
  private final RaceListener listener;
  private final Watch watch;
  private final Map<Entry, List<Run>> figures = new LinkedHashMap<>();
  private final Map<String, Integer> restarts = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Set<String> omissions = new LinkedHashSet<>();
  private final List<Entry> entries = new ArrayList<>();
  private final WarmUps warmUps;
  private final SharedRates rates = new SharedRates();
  private long begin = System.nanoTime();
  private boolean isBrokenOff;
  private int missing;
  private volatile boolean isStopped;

  Contest(RaceOptions options, Servers servers, Watch watch, RaceListener listener) {
    Experiment experiment = options.experiment();
    this.options = options;
    this.watch = watch;
    this.warmUps = new WarmUps(watch, System::nanoTime);
    this.places = new Places(servers, experiment == null ? options.target() : experiment.target());
    this.listener = listener;
  }

  /**
   * Ends the race after the current step, or during it if that is interrupted. May be called by any
   * thread.
   */
  void stop() {
    isStopped = true;
  }

  /** The runs by entry, without entries that have no figures. */
  Map<Entry, List<Run>> figures() {
    return figures;
  }

  /** The failures of runs that gave no figures. */
  List<String> failures() {
    return failures;
  }

  /** Which clients were left out of which cells, and why. */
  List<String> omissions() {
    return List.copyOf(omissions);
  }

  /** Whether it was stopped before its last step had ended. */
  boolean isPartial() {
    return missing > 0;
  }

  /** The names of the servers by group of cells. */
  Map<String, String> serverNames() {
    return places.serverNames();
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  void run(List<Cell> cells, List<Contender> contenders)
      throws RaceException, InterruptedException {
    enter(cells, contenders);
    List<Step> steps = Draw.steps(options.plan(), cells, entries);
    Timeline timeline =
        new Timeline(steps, scale(), Windows.budget(entries.size()), begin, System::nanoTime);
    @Nullable Cell cell = null;
    int skipped = 0;
    for (Step step = timeline.next(); step != null && !isStopped; step = timeline.next()) {
      if (step.entry().cell() != cell) {
        rest(timeline);
        cell = step.entry().cell();
        timeline.startCell();
      }
      if (timeline.isDropped(step.entry())) {
        timeline.skipStep();
      } else if (timeline.isShortOfTimeFor(step)) {
        timeline.skipStep();
        skipped++;
      } else {
        timeline.startStep();
        perform(step, timeline);
        timeline.endStep(step);
      }
      Step next = timeline.next();
      if (next == null || next.entry().cell() != cell) {
        timeline.insert(furtherRound(step));
      }
    }
    // An interrupted step counts as done in the timeline, but gave no figures.
    missing = timeline.total() - timeline.done() + (isBrokenOff ? 1 : 0);
    if (missing > 0) {
      omissions.add(missing + " of " + timeline.total()
          + " steps: the race was stopped, and this is a partial result");
    }
    if (skipped > 0) {
      omissions.add(
          skipped + " of " + timeline.total() + " steps, all of them repetitions, to end in time");
    }
  }

  /**
   * The steps of another round after the last step of a cell: of the clients without a verdict on
   * their CPU time, and of the baseline and the control. Empty if every client has one.
   */
  private List<Step> furtherRound(Step last) {
    Cell cell = last.entry().cell();
    if (!options.plan().goesOnAfter(last.round(), cell)) {
      return List.of();
    }
    Design design = options.plan().design("", true);
    List<Measurement> measured = figures.entrySet().stream()
        .filter(each -> each.getKey().cell() == cell)
        .map(each -> each.getKey().measurement(each.getValue()))
        .toList();
    if (measured.stream().noneMatch(each -> each.client().equals(design.baseline()))) {
      return List.of();
    }
    Set<String> running = Effects.of(measured, design).stream()
        .filter(each -> !each.client().equals(design.baseline()))
        .filter(each -> !each.client().equals(design.control()))
        .filter(Costs::isOpen)
        .map(Measurement::client)
        .collect(Collectors.toCollection(HashSet::new));
    if (running.isEmpty()) {
      return List.of();
    }
    running.add(design.baseline());
    running.add(design.control());
    List<Step> round = new ArrayList<>();
    for (Entry each : entries) {
      if (each.cell() == cell && running.contains(each.contender().name())) {
        round.add(new Step(each, last.round() + 1));
      }
    }
    Collections.shuffle(round, new Random(options.plan().seed() + last.round()));
    return round;
  }

  /** Starts the servers and the clients, and finds out which client can run which cell. */
  private void enter(List<Cell> cells, List<Contender> contenders)
      throws RaceException, InterruptedException {
    tell("starting the servers");
    Map<Contender, List<Entry>> possible = new LinkedHashMap<>();
    contenders.stream()
        .filter(this::isServed)
        .forEach(each -> possible.put(each, new ArrayList<>()));
    for (Cell cell : cells) {
      for (Map.Entry<Contender, List<Entry>> each : possible.entrySet()) {
        Contender contender = each.getKey();
        if (takesPart(contender, cell)) {
          each.getValue().add(new Entry(contender, cell, places.of(contender, cell)));
        }
      }
    }
    if (options.trains()) {
      train(possible);
    }
    tell("starting the clients");
    Map<Contender, Future<?>> starting = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Contender contender : possible.keySet()) {
        starting.put(contender, threads.submit(() -> start(contender)));
      }
      for (Map.Entry<Contender, Future<?>> each : starting.entrySet()) {
        try {
          each.getValue().get();
          enter(each.getKey(), possible.getOrDefault(each.getKey(), List.of()));
        } catch (ExecutionException e) {
          fail(
              each.getKey().name() + ": " + Objects.requireNonNull(e.getCause()).getMessage());
        } catch (IOException e) {
          fail(each.getKey().name() + ": " + e.getMessage());
        }
      }
    }
  }

  /** Prepares the clients of a race that has to warm them up within its time, which begins then. */
  private void train(Map<Contender, List<Entry>> possible) throws InterruptedException {
    Map<JvmContender, List<Entry>> loads = new LinkedHashMap<>();
    possible.forEach((contender, those) -> {
      if (contender instanceof JvmContender client && !those.isEmpty()) {
        loads.put(client, those);
      }
    });
    Training training = new Training(options.home(), this::tell);
    training.prepare(loads);
    for (String each : training.failures()) {
      omissions.add("the AOT cache of " + each);
    }
    begin = System.nanoTime();
  }

  private static @Nullable Void start(Contender contender)
      throws IOException, InterruptedException {
    if (contender instanceof JvmContender client) {
      client.start(List.of(), () -> {});
    }
    return null;
  }

  private void enter(Contender contender, List<Entry> possible)
      throws IOException, InterruptedException {
    for (Entry entry : possible) {
      String refusal = entry.refusal();
      if (refusal == null) {
        entries.add(entry);
      } else if (entry.isJvm()) {
        omissions.add(entry.label() + ": " + refusal);
      }
    }
    if (options.plan().method() == Method.FRESH) {
      contender.close();
    }
  }

  /** Returns false, and records the omission, if the contender's own server isn't installed. */
  private boolean isServed(Contender contender) {
    Serving own = contender.serving();
    if (own == null || Servers.isInstalled(own.program())) {
      return true;
    }
    omissions.add(contender.name() + ": " + own.program().label() + " is not installed");
    return false;
  }

  private static boolean takesPart(Contender contender, Cell cell) {
    return !(contender instanceof JvmContender client) || client.entrant().isIn(cell.label());
  }

  private @Nullable Double scale() {
    boolean isFixed = options.scale() != null || options.plan().method() == Method.WARM;
    return isFixed ? options.scale() : Double.valueOf(RaceOptions.FRESH_SCALE);
  }

  /** Closes the clients that are done with a cell, with their connections and threads. */
  private void rest(Timeline timeline) throws InterruptedException {
    for (Contender each : entries.stream().map(Entry::contender).distinct().toList()) {
      if (each instanceof JvmContender client) {
        try {
          client.rest();
        } catch (IOException e) {
          fail(client.name() + " after its cell: " + e.getMessage());
          restart(client, timeline);
        }
      }
    }
  }

  private void perform(Step step, Timeline timeline) throws RaceException, InterruptedException {
    Windows windows = timeline.windows();
    Runnable tick = () -> tell(step, timeline);
    tick.run();
    Entry entry = step.entry();
    try {
      if (step.isFresh()) {
        measureFresh(step, windows, tick);
      } else if (step.isWarmUp()) {
        startFor(entry, tick);
        warmUps.warmUp(entry, windows, tick);
        makeRoom(entry);
      } else {
        startFor(entry, tick);
        if (warmUps.freshen(entry, windows, tick)) {
          timeline.startStep();
        }
        measure(step, server(entry), windows, tick);
        WarmUps.settle(entry);
        makeRoom(entry);
      }
    } catch (IOException e) {
      failed(step, e, timeline);
    }
    if (!places.areAlive() && !isStopped) {
      throw new RaceException("a server ended during " + step.label());
    }
  }

  /**
   * Closes a client after its turn if the server cannot hold the connections of all that wait for
   * theirs; it opens them again in its next turn.
   */
  private void makeRoom(Entry entry) throws IOException, InterruptedException {
    long waiting = entries.stream()
        .filter(each -> each.cell() == entry.cell() && each.isJvm())
        .filter(each -> each.server().equals(entry.server()))
        .count();
    if (entry.contender() instanceof JvmContender client
        && waiting * entry.cell().wire().connections() > Cell.MOST_CONNECTIONS) {
      client.rest();
    }
  }

  /** A stop of the race ends its processes; failures after that are not recorded. */
  private void failed(Step step, IOException failure, Timeline timeline)
      throws InterruptedException {
    if (isStopped) {
      isBrokenOff = true;
      return;
    }
    String message = failure.getMessage();
    fail(step.label() + ": " + (message == null ? failure.toString() : message));
    Entry entry = step.entry();
    boolean isLost = failure instanceof WorkerLostException && !step.isFresh();
    if (isLost || step.isWarmUp()) {
      timeline.drop(entry);
    }
    if (isLost && entry.contender() instanceof JvmContender client) {
      restart(client, timeline);
    }
  }

  /** A cell with its own flags has its own JVMs, which stay for all its rounds. */
  private void startFor(Entry entry, Runnable tick) throws IOException, InterruptedException {
    List<String> flags = entry.cell().jvmFlags();
    if (entry.contender() instanceof JvmContender client && !client.runsWith(flags)) {
      warmUps.forget(client);
      client.start(flags, tick);
    }
  }

  /** Measures in a JVM for this step only; an open load has its own warm-up. */
  private void measureFresh(Step step, Windows windows, Runnable tick)
      throws RaceException, IOException, InterruptedException {
    if (step.entry().cell().isFirst()) {
      measure(step, step.entry().server(), windows, tick);
    } else if (step.entry().contender() instanceof JvmContender client) {
      try {
        Endpoint server = startFresh(client, step.entry(), tick);
        warmUps.warmUp(step.entry(), windows, tick);
        measure(step, server, windows, tick);
      } finally {
        client.close();
      }
    }
  }

  private Endpoint server(Entry entry) throws RaceException, InterruptedException {
    return entry.cell().needsFreshServer()
        ? places.anew(entry.contender(), entry.cell())
        : entry.server();
  }

  /** Starts the JVM and, if necessary, the server at the same time. */
  private Endpoint startFresh(JvmContender client, Entry entry, Runnable tick)
      throws RaceException, IOException, InterruptedException {
    try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Endpoint> server = beside.submit(() -> server(entry));
      client.start(entry.cell().jvmFlags(), tick);
      return server.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RaceException cause) {
        throw cause;
      }
      throw new RaceException("the server for " + entry.cell().label() + ": " + e.getCause(), e);
    }
  }

  private void measure(Step step, Endpoint server, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    Entry entry = rates.at(step.entry(), figures).at(server);
    Run found = watch.measure(entry, step.round(), windows, tick);
    figures.computeIfAbsent(step.entry(), _ -> new ArrayList<>()).add(found);
    listener.finished(step.label(), found);
    noteErrors(step, found);
  }

  private void noteErrors(Step step, Run found) {
    String example = found.recording().exampleOfFailure();
    if (!example.isEmpty()) {
      fail(step.label() + ": some requests failed, such as: " + example);
    }
  }

  /**
   * Starts a new JVM for a client that has lost its own. It is warmed up in the next cell, and does
   * not take part any more in the present one.
   */
  private void restart(JvmContender client, Timeline timeline) throws InterruptedException {
    String why = "its JVM was lost too often";
    warmUps.forget(client);
    if (restarts.merge(client.name(), 1, Integer::sum) <= MAX_RESTARTS) {
      try {
        client.start(List.of(), () -> {});
        return;
      } catch (IOException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    fail(client.name() + " is out: " + why);
    dropAll(client, timeline);
  }

  private void dropAll(JvmContender client, Timeline timeline) {
    entries.stream().filter(entry -> entry.contender() == client).forEach(timeline::drop);
    client.close();
  }

  private void fail(String what) {
    failures.add(what);
    listener.failed(what);
  }

  private void tell(String doing) {
    listener.progress(new RaceListener.Progress(doing, 0, 1, Race.BUDGET));
  }

  private void tell(Step step, Timeline timeline) {
    int rounds = Math.max(step.round(), options.plan().rounds(step.entry().cell()));
    String doing = step.isWarmUp() ? step.label() : step.label() + " of " + rounds;
    listener.progress(
        new RaceListener.Progress(doing, timeline.done(), timeline.total(), timeline.timeLeft()));
  }
}
