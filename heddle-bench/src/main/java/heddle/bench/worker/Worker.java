package heddle.bench.worker;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.bench.gauge.Gauges;
import heddle.bench.result.Outcome;
import heddle.load.ClosedSession;
import heddle.load.LoadPlan;
import heddle.load.LoadRunner;
import heddle.load.Pace;
import heddle.load.Warmth;
import heddle.load.cluster.crew.LineChannel;
import heddle.load.cluster.json.Json;
import heddle.load.cluster.process.Cores;
import heddle.load.record.FailureClassifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a process that runs one client during a whole race. It reads one {@link
 * WorkerOrder} per line from standard input, answers each with a {@link WorkerAnswer} on a line of
 * standard output, and is idle in between. A client stays open with its connections until another
 * load or an order to rest. The process ends with its parent, because its input ends then.
 */
public final class Worker {

  private static final int MAX_PIN_TRIES = 40;

  /** The time for the threads of the last load to end. */
  private static final Duration PIN_PAUSE = Duration.ofMillis(50);

  /** The pause between two checks of the compilers. */
  private static final Duration SETTLING = Duration.ofMillis(5);

  /**
   * The longest pause between the windows of a warm-up, in which the compilers finish their queue.
   * A running load would take the core from them, and run code that they are about to replace.
   */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /**
   * How often a measurement is rehearsed before a client is warmed up, and for how long at most.
   */
  private static final int REHEARSALS = 10;

  private static final Duration LONGEST_REHEARSING = Duration.ofMillis(500);

  private static final FailureClassifier FAILURES = new ClientFailures();

  private final String client;
  private final Profile profile;
  private final Gauges gauges;
  private final Sent sent = new Sent();
  private boolean isRehearsed;
  private @Nullable ClosedSession session;

  /** The driver of a load without a session; closed before the next load. */
  private @Nullable Driver open;

  private Worker(String client, Profile profile, Gauges gauges) {
    this.client = client;
    this.profile = profile;
    this.gauges = gauges;
  }

  /** Arguments: the name of the client, and the {@link Profile}. */
  public static void main(String[] args) throws Exception {
    LineChannel channel = new LineChannel(System.in, System.out);
    // Keeps the output of the client out of the answers.
    System.setOut(System.err);
    LinkedBlockingQueue<WorkerOrder> orders = new LinkedBlockingQueue<>();
    Thread.ofPlatform().daemon().name("worker-orders").start(() -> listen(channel, orders));
    Worker worker = new Worker(args[0], Profile.valueOf(args[1]), new Gauges());
    Driver driver = worker.driver();
    channel.send(new WorkerAnswer.Hello(driver.name(), driver.version()));
    WorkerOrder order;
    do {
      order = orders.take();
      channel.send(worker.obey(order));
    } while (!(order instanceof WorkerOrder.End));
    System.exit(0);
  }

  /** When the input ends, the parent process has ended, and a running load is of no use. */
  private static void listen(LineChannel channel, LinkedBlockingQueue<WorkerOrder> orders) {
    try {
      boolean isOver = false;
      while (!isOver) {
        try {
          WorkerOrder order = channel.receive(WorkerOrder.class);
          isOver = order == null;
          if (order != null) {
            orders.add(order);
          }
        } catch (LineChannel.MalformedLineException e) {
          channel.send(new WorkerAnswer.Failure("an order cannot be read: " + e.getMessage()));
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      System.err.println("the worker cannot read its orders: " + e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  private WorkerAnswer obey(WorkerOrder order) throws InterruptedException {
    try {
      return switch (order) {
        case WorkerOrder.Prepare(LoadPlan plan, boolean slowly) -> prepare(plan, slowly);
        case WorkerOrder.WarmUp(LoadPlan plan, Duration most) -> warmUp(plan, most);
        case WorkerOrder.Settle(Duration most) -> {
          settle(most);
          yield new WorkerAnswer.Done();
        }
        case WorkerOrder.Measure(LoadPlan plan) -> new WorkerAnswer.Measured(measure(plan));
        case WorkerOrder.MeasureBeside(LoadPlan plan, DriverRequest large) ->
          new WorkerAnswer.Measured(measureBeside(plan, large));
        case WorkerOrder.Rest _, WorkerOrder.End _ -> {
          rest();
          yield new WorkerAnswer.Done();
        }
        case WorkerOrder.Pin(List<Integer> cores, List<Integer> compilers) -> {
          pin(cores, compilers);
          yield new WorkerAnswer.Done();
        }
      };
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      e.printStackTrace();
      return new WorkerAnswer.Failure(e.toString());
    }
  }

  private WorkerAnswer warmUp(LoadPlan plan, Duration most) throws Exception {
    ClosedSession opened = sessionFor(plan);
    rehearse(plan, opened);
    Quiet quiet = new Quiet(gauges::compilersBusyNanos, System::nanoTime);
    Warmth warmth = opened.warmUp(plan.warmUp(), most, () -> {
      settle(LONGEST_PAUSE);
      return quiet.getAsBoolean();
    });
    if (warmth.isAnswered()) {
      return new WorkerAnswer.Done();
    }
    rest();
    return new WorkerAnswer.Failure("no request was answered: "
        + (warmth.failure().isEmpty() ? "none ended while warming up" : warmth.failure()));
  }

  /**
   * Repeats everything that a measurement does apart from its load, before there is a load. Its
   * code is then compiled before the client's, and its classes are loaded: a class that is loaded
   * later can invalidate compiled code, as a new kind of memory session does for all code that uses
   * buffers.
   */
  private void rehearse(LoadPlan plan, ClosedSession opened) throws Exception {
    if (isRehearsed) {
      return;
    }
    isRehearsed = true;
    long begin = System.nanoTime();
    for (int i = 0;
        i < REHEARSALS && System.nanoTime() - begin < LONGEST_REHEARSING.toNanos();
        i++) {
      Outcome outcome =
          Measuring.run(plan, listener -> opened.pretend(plan, listener), gauges, sent::count);
      var _ = Json.line(new WorkerAnswer.Measured(outcome));
    }
  }

  private void settle(Duration most) throws InterruptedException {
    long begin = System.nanoTime();
    Quiet quiet = new Quiet(gauges::compilersBusyNanos, System::nanoTime);
    do {
      Thread.sleep(SETTLING);
    } while (!quiet.getAsBoolean() && System.nanoTime() - begin < most.toNanos());
  }

  private Outcome measure(LoadPlan plan) throws Exception {
    ClosedSession warm = session;
    if (!(plan.pace() instanceof Pace.Closed)) {
      if (warm != null && warm.isConnectedFor(plan)) {
        return Measuring.run(plan, listener -> warm.runBeyond(plan, listener), gauges, sent::count);
      }
      rest();
      Driver opened = driver();
      open = opened;
      LoadRunner runner = new LoadRunner(opened, profile, FAILURES);
      return Measuring.run(
          plan, listener -> runner.runAndStayOpen(plan, listener), gauges, sent::count);
    }
    ClosedSession found = sessionFor(plan);
    return Measuring.run(
        plan, listener -> found.measure(plan, plan.warmUp(), listener), gauges, sent::count);
  }

  private Outcome measureBeside(LoadPlan plan, DriverRequest large) throws Exception {
    ClosedSession found = sessionFor(plan);
    return Measuring.run(
        plan,
        listener -> found.measureBeside(large, plan, plan.warmUp(), listener),
        gauges,
        sent::count);
  }

  private ClosedSession sessionFor(LoadPlan plan) throws Exception {
    ClosedSession running = session;
    if (running == null || !running.serves(plan)) {
      rest();
      running = ClosedSession.open(driver(), profile, plan, FAILURES);
      session = running;
    }
    return running;
  }

  private void rest() throws IOException {
    ClosedSession running = session;
    session = null;
    if (running != null) {
      running.close();
    }
    Driver opened = open;
    open = null;
    if (opened != null) {
      opened.close();
    }
  }

  private WorkerAnswer prepare(LoadPlan plan, boolean besideSlowReader) {
    Driver driver = driver();
    if (besideSlowReader && driver instanceof AsyncClientDriver) {
      return new WorkerAnswer.Refusal("its callers do not read content");
    }
    if (plan.wire().isPipelined() && !driver.canPipeline()) {
      return new WorkerAnswer.Refusal("it does not pipeline");
    }
    if (plan.wire().requests() > 0 && !driver.canLimitRequests()) {
      return new WorkerAnswer.Refusal("it keeps connections");
    }
    String reason = driver.refusal(new DriverConfig(plan.uri(), plan.wire(), profile));
    return reason == null ? new WorkerAnswer.Done() : new WorkerAnswer.Refusal(reason);
  }

  /** Pins all existing threads; new threads inherit the cores from the thread that starts them. */
  private void pin(List<Integer> cores, List<Integer> compilers)
      throws IOException, InterruptedException {
    taskset(List.of(
        "-a",
        "-c",
        "-p",
        Cores.label(cores),
        String.valueOf(ProcessHandle.current().pid())));
    if (!compilers.equals(cores)) {
      for (String thread : gauges.compilerThreads()) {
        taskset(List.of("-c", "-p", Cores.label(compilers), thread));
      }
    }
  }

  /** Retries, because taskset fails if a thread ends between being listed and being pinned. */
  private static void taskset(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("taskset"));
    command.addAll(arguments);
    String said = "";
    for (int tries = 0; tries < MAX_PIN_TRIES; tries++) {
      Process taskset = new ProcessBuilder(command).redirectErrorStream(true).start();
      said = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (taskset.waitFor() == 0) {
        return;
      }
      Thread.sleep(PIN_PAUSE);
    }
    throw new IOException("cannot pin the worker: " + command + ": " + said);
  }

  /** Creates a driver, for each time that a client is opened. */
  private Driver driver() {
    List<String> found = new ArrayList<>();
    for (Driver each : ServiceLoader.load(Driver.class)) {
      if (each.name().equals(client)) {
        return sent.counting(each);
      }
      found.add(each.name());
    }
    throw new IllegalStateException(
        "there is no driver " + client + " on the worker's class path, only " + found);
  }
}
