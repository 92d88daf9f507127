package heddle.bench.race;

import heddle.bench.report.HtmlReport;
import heddle.bench.report.JsonReport;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.worker.WorkerReport;
import heddle.bench.worker.WorkerTask;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Clients under the same load, each in a JVM of its own, in interleaved rounds.
 *
 * <pre>{@code
 * Race race = new Race(RaceOptions.defaults(home).withRounds(1));
 * RaceResult result = race.run(progress -> System.err.println(progress.doing()));
 * System.out.print(TableReport.render(result));
 * }</pre>
 *
 * <p>A race is run once, by one thread.
 */
public final class Race {

  /** How long a race may take when no scale is asked for. */
  public static final Duration BUDGET = Duration.ofSeconds(104);

  /** How long a run may take beyond its plan before it is given up. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration SERVER_WARM_UP = Duration.ofSeconds(3);

  private final RaceOptions options;
  private final Cores cores = Cores.ofThisMachine();
  private final Map<String, String> versions = new LinkedHashMap<>();
  private final Map<String, List<RunFigures>> figures = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();

  /** A race that has not begun. */
  public Race(RaceOptions options) {
    this.options = options;
  }

  /**
   * Runs the race and writes the JSON and the page.
   *
   * @throws RaceException when a client, a cell or the server cannot be found or does not start, or
   *     when the result cannot be written
   * @throws InterruptedException when the thread is interrupted; every process is then ended
   */
  public RaceResult run(RaceListener listener) throws RaceException, InterruptedException {
    String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<Cell> cells = Cell.find(options.cells());
    Map<String, Path> folders = driverFolders();
    List<String> clients = new ArrayList<>(folders.keySet());
    if (racesWrk()) {
      clients.add(Wrk.NAME);
    }
    prepareFolder(options.json());
    prepareFolder(options.html());
    Timeline timeline = new Timeline(schedule(cells, clients), options.scale(), BUDGET);
    runAll(timeline, folders, listener);
    RaceResult result = new RaceResult(
        Surroundings.describe(options, cores, versions, date, timeline.elapsed()),
        measurements(cells, clients),
        failures);
    write(options.json(), JsonReport.render(result));
    write(options.html(), HtmlReport.render(result));
    return result;
  }

  private Map<String, Path> driverFolders() throws RaceException {
    List<String> names =
        options.clients().stream().filter(n -> !n.equals(Wrk.NAME)).toList();
    boolean wrkAlone = names.isEmpty() && !options.clients().isEmpty();
    return wrkAlone ? Map.of() : DriverFolders.find(options.home(), names);
  }

  private void runAll(Timeline timeline, Map<String, Path> folders, RaceListener listener)
      throws RaceException, InterruptedException {
    List<String> command = Cores.pin(cores.server(), Jvm.server(options.server()));
    try (ServerProcess server = ServerProcess.start(command)) {
      warm(server, folders, listener);
      int round = 1;
      Windows windows = timeline.startRound();
      for (Run run : timeline.runs()) {
        if (run.round() != round) {
          round = run.round();
          windows = timeline.startRound();
        }
        timeline.startRun();
        runOne(run, folders, server, windows, () -> tell(listener, timeline, run));
        timeline.endRun(run);
      }
    }
  }

  /** Nobody is to race against a server whose code is still being compiled. */
  private void warm(ServerProcess server, Map<String, Path> folders, RaceListener listener)
      throws InterruptedException {
    for (Map.Entry<String, Path> client : folders.entrySet()) {
      listener.progress(new RaceListener.Progress("warming the server", 0, 1, SERVER_WARM_UP));
      double share = options.scale() == null ? 1 : Math.min(1, options.scale());
      Duration time = Duration.ofNanos((long) (SERVER_WARM_UP.toNanos() * share));
      Windows windows = new Windows(Duration.ZERO, time, Duration.ZERO, Duration.ZERO);
      Run run = new Run(List.of(Cell.ALL.getFirst()), client.getKey(), 0);
      try {
        runWorker(run, client.getValue(), server.uri(), windows, () -> {});
        return;
      } catch (IOException e) {
        listener.progress(
            new RaceListener.Progress(client.getKey() + " cannot run", 0, 1, SERVER_WARM_UP));
      }
    }
  }

  private boolean racesWrk() throws RaceException {
    boolean installed = Executables.find(Wrk.NAME).isPresent();
    if (options.clients().contains(Wrk.NAME) && !installed) {
      throw new RaceException("wrk is not installed: there is no program wrk on the PATH");
    }
    return installed && (options.clients().isEmpty() || options.clients().contains(Wrk.NAME));
  }

  /** All runs, round after round, in an order of its own in each. */
  private List<Run> schedule(List<Cell> cells, List<String> clients) {
    Random random = new Random(options.seed());
    List<Run> runs = new ArrayList<>();
    for (int round = 1; round <= options.rounds(); round++) {
      List<Run> ofRound = new ArrayList<>();
      for (String client : clients) {
        ofRound.addAll(runs(client, cells, round));
      }
      Collections.shuffle(ofRound, random);
      runs.addAll(ofRound);
    }
    return runs;
  }

  private List<Run> runs(String client, List<Cell> cells, int round) {
    List<Cell> closed = cells.stream().filter(Cell::isClosed).toList();
    List<Run> runs = new ArrayList<>();
    if (client.equals(Wrk.NAME)) {
      closed.forEach(cell -> runs.add(new Run(List.of(cell), client, round)));
      return runs;
    }
    if (!closed.isEmpty()) {
      runs.add(new Run(closed, client, round));
    }
    for (Cell cell : cells) {
      if (!cell.isClosed() && round <= cell.rounds(options.rounds())) {
        runs.add(new Run(List.of(cell), client, round));
      }
    }
    return runs;
  }

  private void tell(RaceListener listener, Timeline timeline, Run run) {
    String doing = run.label() + " of " + run.cells().getFirst().rounds(options.rounds());
    listener.progress(
        new RaceListener.Progress(doing, timeline.done(), timeline.total(), timeline.left()));
  }

  private void runOne(
      Run run, Map<String, Path> folders, ServerProcess server, Windows windows, Runnable tick)
      throws RaceException, InterruptedException {
    tick.run();
    try {
      List<RunFigures> found = run.isWrk()
          ? List.of(runWrk(run, server.uri(), windows, tick))
          : runWorker(run, folder(folders, run), server.uri(), windows, tick);
      for (int i = 0; i < found.size(); i++) {
        figures
            .computeIfAbsent(key(run.cells().get(i), run.client()), _ -> new ArrayList<>())
            .add(found.get(i));
      }
    } catch (IOException e) {
      failures.add(run.label() + ": " + e.getMessage());
    }
    if (!server.isAlive()) {
      throw new RaceException("the server ended during " + run.label());
    }
  }

  private RunFigures runWrk(Run run, URI server, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    List<String> command = Wrk.command(run.plans(server, windows).getFirst(), windows.closed());
    return Wrk.parse(output(run, Cores.pin(cores.client(), command), windows, tick));
  }

  private static Path folder(Map<String, Path> folders, Run run) {
    return Objects.requireNonNull(folders.get(run.client()), run.client());
  }

  private List<RunFigures> runWorker(
      Run run, Path folder, URI server, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    WorkerTask task = new WorkerTask(
        run.client(),
        options.profile(),
        run.warmUps(server, windows),
        run.plans(server, windows),
        cores.client());
    String output =
        output(run, Jvm.worker(folder, cores.client().size(), task.toArguments()), windows, tick);
    List<RunFigures> found = new ArrayList<>();
    for (String line : output.strip().lines().toList()) {
      WorkerReport report = WorkerReport.parse(line);
      versions.put(report.client(), report.version());
      found.add(RunFigures.of(report));
    }
    if (found.size() != run.cells().size()) {
      throw new IOException(
          "reported " + found.size() + " of " + run.cells().size() + " loads: " + output);
    }
    return found;
  }

  private String output(Run run, List<String> command, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    long max = run.planned(windows, PATIENCE).plus(PATIENCE).toMillis();
    ProcessOutput output = ProcessOutput.of(command, max, tick);
    if (output.exitCode() != 0) {
      throw new IOException("exit code " + output.exitCode() + ": " + output.errors());
    }
    return output.output();
  }

  private List<Measurement> measurements(List<Cell> cells, List<String> clients) {
    List<Measurement> all = new ArrayList<>();
    for (Cell cell : cells) {
      for (String client : clients) {
        List<RunFigures> runs = figures.get(key(cell, client));
        if (runs != null) {
          all.add(Medians.of(cell.label(), client, runs));
        }
      }
    }
    return all;
  }

  private static String key(Cell cell, String client) {
    return cell.label() + " " + client;
  }

  /** Makes sure of the place before the race rather than after it. */
  private static void prepareFolder(Path file) throws RaceException {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw new RaceException("cannot make the folder of " + file + ": " + e, e);
    }
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new RaceException("cannot write " + file + ": choose another file");
    }
  }

  private static void write(Path file, String text) throws RaceException {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new RaceException("cannot write " + file + ": " + e, e);
    }
  }
}
