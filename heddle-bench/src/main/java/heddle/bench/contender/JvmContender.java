package heddle.bench.contender;

import heddle.bench.coldstart.ColdStarts;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import heddle.bench.server.Serving;
import heddle.bench.worker.WorkerAnswer;
import heddle.bench.worker.WorkerOrder;
import heddle.load.ClosedSession;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A client in its own JVM, which lives until it is closed. It is warmed up alone, on every core,
 * and measured alone.
 */
public final class JvmContender implements Contender {

  /** How long an order may take beyond its load and the wait for late answers. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A load that does not wait for each answer waits for late ones for a minute. */
  private static final Duration OPEN_PATIENCE = Duration.ofSeconds(60);

  /** A client may need longer to begin all held requests than it then holds them. */
  private static final Duration HELD_PATIENCE = Duration.ofMinutes(4);

  /** How long a number of requests takes cannot be known beforehand. */
  private static final Duration COUNTED_PATIENCE = Duration.ofMinutes(10);

  /** How long to wait for the compilers' queue to become empty after a load. */
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(2);

  private final Entrant entrant;
  private final String driverClassPath;
  private final Cores cores;
  private @Nullable WorkerProcess worker;

  /** What its JVM starts from; null for nothing. */
  private @Nullable AotCache cache;

  /** Flags of its JVM in addition to the common ones and those of the entrant. */
  private List<String> given = List.of();

  /** The cores of its compilers; empty until they were pinned. */
  private List<Integer> compilers = List.of();

  private String version = "unknown";

  /** Creates a contender that has not started, with the class path of its driver alone. */
  public JvmContender(Entrant entrant, String driverClassPath, Cores cores) {
    this.entrant = entrant;
    this.driverClassPath = driverClassPath;
    this.cores = cores;
  }

  @Override
  public String name() {
    return entrant.name();
  }

  @Override
  public @Nullable Serving serving() {
    return entrant.serving();
  }

  /** Another contender for the same client, whose JVM is not started. */
  public JvmContender another() {
    return new JvmContender(entrant, driverClassPath, cores);
  }

  /** The client and its configuration. */
  public Entrant entrant() {
    return entrant;
  }

  /** The class path of its driver alone. */
  public String driverClassPath() {
    return driverClassPath;
  }

  /** The client's version; known once the worker has started. */
  public String version() {
    return version;
  }

  /**
   * The place of the cache for its JVM, which may not exist yet; null if it can have none.
   *
   * @param folder where caches are
   * @param loads what it has run when the cache is made
   */
  public @Nullable AotCache cacheIn(Path folder, String loads) throws IOException {
    return AotCache.of(folder, entrant, command(entrant.jvmFlags()), loads);
  }

  /** Lets its JVM start from this cache from now on. */
  public void startFrom(AotCache made) {
    cache = made;
  }

  /**
   * Starts the JVM, and ends one that may still run.
   *
   * @param jvmFlags in addition to the common ones and those of the entrant
   */
  public void start(List<String> jvmFlags, Runnable tick) throws IOException, InterruptedException {
    close();
    given = List.copyOf(jvmFlags);
    List<String> flags = flags(jvmFlags);
    if (cache != null) {
      flags.addAll(cache.flags());
    }
    WorkerProcess.Started started = WorkerProcess.start(command(flags), tick);
    worker = started.process();
    version = started.hello().version();
  }

  private List<String> command(List<String> flags) {
    return Jvm.worker(
        driverClassPath,
        entrant.client(),
        entrant.profile(),
        flags,
        cores.client().size());
  }

  /** Whether its JVM was started with these flags in addition to the common ones. */
  public boolean runsWith(List<String> jvmFlags) {
    return given.equals(jvmFlags);
  }

  @Override
  public @Nullable String refusal(LoadPlan plan, boolean besideSlowReader)
      throws IOException, InterruptedException {
    WorkerOrder order = new WorkerOrder.Prepare(plan, besideSlowReader);
    WorkerAnswer answer = started().ask(order, PATIENCE, () -> {});
    return answer instanceof WorkerAnswer.Refusal(String reason) ? reason : null;
  }

  /**
   * Opens the client and runs the load until the compilers have come to rest. The compilers may use
   * every core, but the client's threads only those on which they will be measured: on more cores
   * they contend in other places, and code compiled for that would have to be compiled again. The
   * client stays open for the runs that follow.
   *
   * @param most the longest time for that
   * @throws IOException if nothing was answered; the message says why
   */
  public void warmUp(LoadPlan plan, Duration most, Runnable tick)
      throws IOException, InterruptedException {
    compileOn(cores.all());
    Duration patience = most.plus(ClosedSession.LONGEST_WAIT).plus(PATIENCE);
    expectDone(started().ask(new WorkerOrder.WarmUp(plan, most), patience, tick));
  }

  /**
   * Waits until its compilers are idle, so that they take no core from the client measured next.
   */
  public void settle() throws IOException, InterruptedException {
    expectDone(started().ask(new WorkerOrder.Settle(LONGEST_SETTLING), PATIENCE, () -> {}));
  }

  /** Closes the client, if it is open: until then it keeps its connections and its threads. */
  public void rest() throws IOException, InterruptedException {
    if (worker != null) {
      expectDone(started().ask(new WorkerOrder.Rest(), PATIENCE, () -> {}));
    }
  }

  private void compileOn(List<Integer> wanted) throws IOException, InterruptedException {
    if (!wanted.equals(compilers)) {
      WorkerOrder pin = new WorkerOrder.Pin(cores.client(), wanted);
      expectDone(started().ask(pin, PATIENCE, () -> {}));
      compilers = wanted;
    }
  }

  private static void expectDone(WorkerAnswer answer) throws IOException {
    if (answer instanceof WorkerAnswer.Failure(String cause)) {
      throw new IOException(cause);
    }
  }

  @Override
  public Outcome measure(LoadPlan plan, Runnable tick) throws IOException, InterruptedException {
    return obey(new WorkerOrder.Measure(plan), plan, tick);
  }

  /**
   * Runs the load next to a slow reader, and before and after that without it, so that a client or
   * a machine that gets faster or slower meanwhile does not bias the result.
   */
  public Outcome measureBeside(LoadPlan plan, DriverRequest large, Runnable tick)
      throws IOException, InterruptedException {
    RunFigures before = measure(plan, tick).figures();
    Outcome beside = obey(new WorkerOrder.MeasureBeside(plan, large), plan, tick);
    RunFigures after = measure(plan, tick).figures();
    RunFigures figures = beside.figures();
    double alone = (before.requestsPerSecond() + after.requestsPerSecond()) / 2;
    double sent = 0;
    for (RunFigures each : List.of(before, figures, after)) {
      Double count = each.of(Figure.SENT);
      sent += count == null ? 0 : count;
    }
    return new Outcome(
        figures.with(Map.of(Figure.KEPT, figures.requestsPerSecond() / alone, Figure.SENT, sent)),
        beside.doubts(),
        beside.recording());
  }

  /**
   * Runs shares of one load at the same time: the first here, each other in its own JVM that ends
   * with it.
   *
   * @param shares at least one
   * @param jvmFlags of the JVMs, as of this one
   */
  public Outcome measureShares(List<LoadPlan> shares, List<String> jvmFlags, Runnable tick)
      throws IOException, InterruptedException {
    List<JvmContender> crew = new ArrayList<>(List.of(this));
    try {
      for (int i = 1; i < shares.size(); i++) {
        JvmContender other = another();
        crew.add(other);
        other.start(jvmFlags, tick);
      }
      return Shares.sum(measureTogether(crew, shares, tick));
    } finally {
      crew.stream().skip(1).forEach(JvmContender::close);
    }
  }

  private static List<Outcome> measureTogether(
      List<JvmContender> crew, List<LoadPlan> shares, Runnable tick)
      throws IOException, InterruptedException {
    List<Future<Outcome>> running = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i < crew.size(); i++) {
        JvmContender other = crew.get(i);
        LoadPlan share = shares.get(i);
        running.add(threads.submit(() -> other.measure(share, () -> {})));
      }
      outcomes.add(crew.getFirst().measure(shares.getFirst(), tick));
      for (Future<Outcome> each : running) {
        outcomes.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("one of its processes: " + e.getCause(), e);
    }
    return outcomes;
  }

  /** The entrant's flags, then the others: if two contradict, the JVM uses the last. */
  private List<String> flags(List<String> others) {
    List<String> flags = new ArrayList<>(entrant.jvmFlags());
    flags.addAll(others);
    return flags;
  }

  /** Starts a JVM that makes one request and ends; the worker is not involved. */
  public Outcome first(URI uri, Wire wire, List<String> jvmFlags)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(Jvm.FLAGS);
    flags.addAll(flags(jvmFlags));
    ColdStarts cold = ColdStarts.ofDriver(
        driverClassPath, entrant.client(), entrant.profile(), flags, cores.client());
    return new Outcome(cold.run(uri, wire), List.of(), Recording.NONE);
  }

  private Outcome obey(WorkerOrder order, LoadPlan plan, Runnable tick)
      throws IOException, InterruptedException {
    compileOn(cores.client());
    WorkerAnswer answer = started().ask(order, patience(plan), tick);
    return switch (answer) {
      case WorkerAnswer.Measured(Outcome outcome) -> answered(outcome, plan);
      case WorkerAnswer.Failure(String cause) -> throw new IOException(cause);
      default -> throw new IOException("the worker answered " + answer);
    };
  }

  /** The same outcome, unless no request was answered. */
  private static Outcome answered(Outcome outcome, LoadPlan plan) throws IOException {
    Double answered = outcome.figures().of(Figure.ANSWERED);
    // Held requests are dropped without an answer.
    boolean isHeld = plan.pace() instanceof Pace.Held;
    if (!isHeld && (answered == null || answered == 0)) {
      String example = outcome.recording().exampleOfFailure();
      throw new IOException("no request was answered: "
          + (example.isEmpty() ? "none ended within the time measured" : example));
    }
    return outcome;
  }

  private static Duration patience(LoadPlan plan) {
    Duration measured =
        switch (plan.extent()) {
          case Extent.Lasting(Duration duration) -> duration;
          case Extent.Requests _ -> COUNTED_PATIENCE;
        };
    Duration late =
        switch (plan.pace()) {
          case Pace.Closed _ -> ClosedSession.LONGEST_WAIT;
          case Pace.Held _ -> HELD_PATIENCE;
          case Pace.Open _, Pace.Batch _ -> OPEN_PATIENCE;
        };
    return plan.warmUp().plus(measured).plus(late).plus(PATIENCE);
  }

  private WorkerProcess started() throws IOException {
    WorkerProcess running = worker;
    if (running == null) {
      throw new WorkerLostException("its JVM has not started");
    }
    return running;
  }

  /**
   * Ends its JVM in good order, so that it writes what its flags ask for.
   *
   * @param patience how long to wait for that
   */
  public void end(Duration patience) throws IOException, InterruptedException {
    started().end(patience);
    close();
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.close();
      worker = null;
      compilers = List.of();
    }
  }
}
