package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.Jvm;
import heddle.bench.contender.JvmContender;
import heddle.bench.experiment.Cell;
import heddle.bench.page.RaceChart;
import heddle.bench.page.RacePage;
import heddle.bench.report.CsvReport;
import heddle.bench.report.JsonReport;
import heddle.bench.report.RunLogs;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Measurement;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.server.SearchNode;
import heddle.bench.server.ServerCommand;
import heddle.bench.server.Servers;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Clients under the same load, each in its own JVM, in interleaved rounds.
 *
 * <pre>{@code
 * Race race = new Race(RaceOptions.builder(home).build());
 * RaceResult result = race.run(progress -> System.err.println(progress.doing()));
 * System.out.print(TableReport.render(result));
 * }</pre>
 *
 * <p>A race is run once, by one thread.
 */
public final class Race {

  /**
   * How long a race of the usual clients in the usual cells may take at most. Others may take as
   * long for each client and cell.
   */
  public static final Duration BUDGET = Windows.budget(Windows.USUAL_ENTRIES);

  private final RaceOptions options;
  private final Cores cores = Cores.ofThisMachine();

  private volatile boolean isStopped;
  private volatile @Nullable Contest running;
  private volatile RaceOutputs written;

  /** Creates a race that has not begun. */
  public Race(RaceOptions options) {
    this.options = options;
    this.written = options.outputs();
  }

  /**
   * How many connections a race opens.
   *
   * @param ofClient the most connections that one process of a client opens in a cell
   * @param toServer the most connections that all clients together hold to one server
   */
  public record Demand(int ofClient, int toServer) {}

  /**
   * How many connections the race will open.
   *
   * @throws RaceException if a client or a cell cannot be found
   */
  public Demand demand() throws RaceException {
    RacePlan plan = options.plan();
    Lineup lineup = Lineup.of(options);
    // A JVM that stays keeps its connections until all clients are done with the cell.
    int together = plan.method() == Method.FRESH
        ? 1
        : lineup.entrants().size() + (plan.isControlled() ? 1 : 0);
    int most = 0;
    for (Cell each : lineup.cells()) {
      int open = Math.min(each.wire().connections(), each.mostAtOnce());
      most = Math.max(most, Math.ceilDiv(open, each.processes()));
    }
    return new Demand(most, most * Math.max(1, together));
  }

  /**
   * Runs the race and writes the JSON and the page.
   *
   * @throws RaceException if a client, a cell or a server cannot be found or does not start, or
   *     when the result cannot be written
   * @throws InterruptedException if the thread is interrupted; all processes are ended then
   */
  public RaceResult run(RaceListener listener) throws RaceException, InterruptedException {
    String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Lineup lineup = Lineup.of(options);
    build(lineup, listener);
    prepareFolder(options.outputs().json());
    prepareFolder(options.outputs().html());
    Path csv = options.outputs().csv();
    if (csv != null) {
      prepareFolder(csv);
    }
    WorkFolder work = WorkFolder.make();
    List<Contender> contenders =
        lineup.contenders(options.plan(), controlName(), cores, work.path());
    try (Servers servers = servers(work.path(), listener)) {
      Watch watch =
          new Watch(cores, options.plan().method() == Method.WARM, options.experiment() != null);
      Contest contest = new Contest(options, servers, watch, listener);
      running = contest;
      if (isStopped) {
        contest.stop();
      }
      contest.run(lineup.cells(), contenders);
      RaceResult result = result(contest, lineup, contenders, date);
      RaceOutputs outputs = result.isPartial() ? written.ofPartial() : written;
      written = outputs;
      write(outputs.json(), JsonReport.render(result));
      write(outputs.html(), RacePage.render(result));
      String chart = RaceChart.render(result);
      if (chart != null) {
        write(outputs.chart(), chart);
      }
      Path rows = outputs.csv();
      if (rows != null) {
        write(rows, CsvReport.render(result));
      }
      Path logs = outputs.logs();
      if (logs != null) {
        writeLogs(result, logs);
      }
      return result;
    } finally {
      contenders.forEach(Contender::close);
      work.close();
    }
  }

  /** Builds the other builds of Heddle that take part. */
  private void build(Lineup lineup, RaceListener listener)
      throws RaceException, InterruptedException {
    Consumer<String> words =
        doing -> listener.progress(new RaceListener.Progress(doing, 0, 1, BUDGET));
    OtherBuild against = options.against();
    if (against != null) {
      against.build(words);
    }
    for (Ablation each : lineup.ablations()) {
      if (isStopped) {
        return;
      }
      each.build(words);
    }
  }

  /**
   * Ends the race early: {@link #run} writes and returns the results so far, marked as partial. May
   * be called by any thread, also before the race runs.
   */
  public void stop() {
    isStopped = true;
    Contest contest = running;
    if (contest != null) {
      contest.stop();
    }
  }

  /** Where {@link #run} has written: a partial result does not replace files that are there. */
  public RaceOutputs written() {
    return written;
  }

  private RaceResult result(
      Contest contest, Lineup lineup, List<Contender> contenders, String date) {
    boolean hasControl = contenders.stream().anyMatch(each -> each.name().equals(controlName()));
    Design design = options.plan().design(lineup.profiles(), hasControl);
    return new RaceResult(
        Surroundings.describe(
            design, cores, versions(contenders), contest.serverNames(), date, contest.elapsed()),
        Effects.of(measurements(contest.figures(), lineup.cells(), contenders), design),
        contest.failures(),
        contest.omissions(),
        lineup.story(),
        contest.isPartial());
  }

  private String controlName() {
    return options.plan().design("", true).control();
  }

  private Servers servers(Path work, RaceListener listener) throws RaceException {
    ServerCommand command = options.server();
    try {
      return new Servers(
          Jvm.server(command, options.home(), command.arguments()),
          Jvm.server(command, options.home(), command.tlsArguments()),
          options.http2Server(),
          cores.server(),
          work,
          SearchNode.of(
              options.home(),
              words -> listener.progress(new RaceListener.Progress(words, 0, 1, BUDGET))));
    } catch (IOException e) {
      throw new RaceException(String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, String> versions(List<Contender> contenders) {
    Map<String, String> versions = new LinkedHashMap<>();
    for (Contender each : contenders) {
      if (each instanceof JvmContender client) {
        OtherBuild against = options.against();
        boolean isOther = against != null && client.name().equals(against.name());
        String key = isOther ? client.name() : client.entrant().client();
        versions.put(key, client.version());
      }
    }
    return versions;
  }

  private static List<Measurement> measurements(
      Map<Entry, List<Run>> figures, List<Cell> cells, List<Contender> contenders) {
    List<String> labels = cells.stream().map(Cell::label).toList();
    Comparator<Entry> order = Comparator.comparingInt(
            (Entry e) -> labels.indexOf(e.cell().label()))
        .thenComparingInt(e -> contenders.indexOf(e.contender()));
    return figures.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(order))
        .map(each -> each.getKey().measurement(each.getValue()))
        .toList();
  }

  /** Checks before the race that the file can be written. */
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

  private static void writeLogs(RaceResult result, Path folder) throws RaceException {
    try {
      RunLogs.write(result, folder);
    } catch (IOException e) {
      throw new RaceException(String.valueOf(e.getMessage()), e);
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
