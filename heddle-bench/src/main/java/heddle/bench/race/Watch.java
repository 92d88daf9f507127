package heddle.bench.race;

import heddle.bench.account.Agreement;
import heddle.bench.account.Bookkeeper;
import heddle.bench.account.HeldRequests;
import heddle.bench.account.ServerCounts;
import heddle.bench.machine.Disturbance;
import heddle.bench.machine.Moment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the counts of the server and the machine before and after a run. Used by one thread. */
final class Watch {

  private final List<Integer> cores;
  private final int clientCores;
  private final boolean isWarm;
  private final boolean isStrict;
  private final Bookkeeper bookkeeper = new Bookkeeper();

  /**
   * Creates a watch for a race on these cores.
   *
   * @param isWarm whether clients should be warm when they are measured
   * @param isStrict whether runs far from warm are refused: an experiment sets the length of its
   *     warm-ups, while a race with a time budget must accept what fits
   */
  Watch(Cores cores, boolean isWarm, boolean isStrict) {
    this.cores = cores.all();
    this.clientCores = cores.client().isEmpty()
        ? Runtime.getRuntime().availableProcessors()
        : cores.client().size();
    this.isWarm = isWarm;
    this.isStrict = isStrict;
  }

  /** Runs an entry in a round, and adds the counts of the server and the machine. */
  Run measure(Entry entry, int round, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    // Excludes requests from before this run.
    ServerCounts idle = bookkeeper.settle(entry.server());
    Moment before = Moment.now(cores);
    Outcome outcome = entry.measure(windows, tick);
    Map<Figure, Double> beside = new EnumMap<>(Figure.class);
    beside.putAll(Moment.now(cores).since(before));
    ServerCounts counts = bookkeeper.look(entry.server());
    beside.putAll(counts == null ? Map.of() : counts.figures(sent(outcome)));
    if (entry.cell().isIdle()) {
      putRssOfConnections(beside, idle, outcome.figures().of(Figure.CONNECTIONS));
    }
    Recording recording = outcome.recording();
    if (counts != null && entry.cell().kind() == LoadKind.SERVED) {
      recording = recording.withServer(counts.series());
    }
    Outcome whole = new Outcome(outcome.figures(), outcome.doubts(), recording);
    return judge(round, entry.cell().mostAtOnce(), whole, beside);
  }

  /** How many requests were sent; load generators in C report only how many were answered. */
  private static @Nullable Double sent(Outcome outcome) {
    Double sent = outcome.figures().of(Figure.SENT);
    return sent == null ? outcome.figures().of(Figure.ANSWERED) : sent;
  }

  private static void putRssOfConnections(
      Map<Figure, Double> figures, @Nullable ServerCounts idle, @Nullable Double connections) {
    Double before = idle == null ? null : idle.figures().get(Figure.SERVER_PEAK_RSS);
    Double most = figures.get(Figure.SERVER_PEAK_RSS);
    if (before != null && most != null && connections != null && connections > 0) {
      figures.put(Figure.SERVER_CONNECTION_RSS, (most - before) / connections);
    }
  }

  /**
   * Judges a client's outcome: whether it counts, is noisy or invalid.
   *
   * @param mostAtOnce how many concurrent requests the server may have seen
   * @param beside the figures of the server and the machine
   */
  Run judge(int round, int mostAtOnce, Outcome outcome, Map<Figure, Double> beside) {
    HeldRequests held = HeldRequests.of(outcome.figures().with(beside));
    RunFigures figures = held.figures();
    List<String> refusing = new ArrayList<>(outcome.doubts());
    refusing.addAll(Agreement.doubts(mostAtOnce, figures));
    refusing.addAll(Disturbance.MACHINE.refusing(figures.values()));
    List<String> disturbing = Disturbance.MACHINE.disturbing(figures.values());
    Recording recording = outcome.recording().withRemark(held.remark());
    if (isWarm) {
      WarmUpCheck check = WarmUpCheck.of(figures, isStrict, clientCores);
      figures = check.figures();
      refusing.addAll(check.refusing());
      recording = recording.withRemark(check.remark());
    }
    return new Run(round, figures, Soundness.of(refusing, disturbing), recording);
  }
}
