package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.client.spi.PoolSnapshot;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.Network;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an exchange between a client and a server, and each time throws at another step of one of
 * them, until all steps have had their turn. Afterwards the next call must succeed, nothing may
 * have been processed twice, and nothing may be left behind. Runs in a separate process, because
 * its loggers throw too.
 */
public final class InjectedErrors {
  /** Arguments, in any order after the first three. */
  static final String TLS = "tls";

  static final String LOSES_TASKS = "loses-tasks";
  static final String SIMULATED = "simulated";

  private static final Duration CALL = Duration.ofMillis(700);
  private static final Duration MARGIN = Duration.ofMillis(250);

  /** For all steps; a step that does no harm takes a twentieth of a second. */
  private static final Duration MOST = Duration.ofSeconds(60);

  /** The deadline of a call that passes it. */
  private static final Duration SOON = Duration.ofMillis(40);

  /** To close what may hang. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final long SEED = 22;
  private static final int MOST_BROKEN = 2;
  private static final int MOST_STEPS = 1_000;
  private static final int CONTENT = 40_000;
  private static final String ID = "x-id";

  private final Fault fault;
  private final boolean atServer;
  private final HttpVersion version;
  private final Set<String> options;
  private final @Nullable TestIdentity identity;
  private final Stalls stalls = new Stalls();
  private final ProcessedIds processed = new ProcessedIds();
  private final List<String> broken = new ArrayList<>();
  private List<String> steps = List.of();
  private int posts;

  private InjectedErrors(Fault fault, boolean atServer, HttpVersion version, Set<String> options)
      throws Exception {
    this.fault = fault;
    this.atServer = atServer;
    this.version = version;
    this.options = options;
    this.identity = options.contains(TLS) ? TestIdentity.forNames("127.0.0.1") : null;
  }

  /** Takes a {@link Fault}, {@code server} or {@code client}, {@code h1} or {@code h2}, options. */
  public static void main(String[] args) throws Exception {
    HttpVersion version = args[2].equals("h2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    var errors =
        new InjectedErrors(Fault.valueOf(args[0]), args[1].equals("server"), version, Set.of(args));
    System.out.println("port 0");
    try {
      int steps = errors.run();
      System.out.println("done " + steps + " " + String.join("; ", errors.broken));
    } catch (Exception | Error e) {
      System.out.println("broke off: " + e + " at " + Arrays.toString(e.getStackTrace()));
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /** How many steps had their turn. */
  private int run() throws Exception {
    // Classes are loaded and logged about before it counts.
    exchange(MOST_STEPS);
    broken.clear();
    exchange(MOST_STEPS);
    List<String> recorded = steps;
    if (options.contains(SIMULATED)) {
      exchange(MOST_STEPS);
      if (!steps.equals(recorded)) {
        broken.add("two exchanges of one seed have different steps: " + recorded + ", " + steps);
      }
    }
    int done = runEach(recorded);
    // The one that looks for forgotten bodies is the process's.
    List<String> left = ProcessState.virtualThreads().stream()
        .filter(name -> !name.equals("heddle-leaks"))
        .toList();
    if (broken.isEmpty() && !left.isEmpty()) {
      broken.add("virtual threads are left: " + left);
    }
    return done;
  }

  private int runEach(List<String> recorded) throws Exception {
    long end = System.nanoTime() + MOST.toNanos();
    for (int step = 1; step < MOST_STEPS; step++) {
      String place = exchange(step);
      if (place.isEmpty() || broken.size() >= MOST_BROKEN) {
        return step - 1;
      }
      if (options.contains(SIMULATED)
          && (step > recorded.size() || !steps.equals(recorded.subList(0, step)))) {
        broken.add("step " + step + " differs from those recorded: " + steps + ", " + recorded);
      }
      if (System.nanoTime() > end) {
        broken.add("not all steps had their turn within " + MOST);
        return step;
      }
    }
    return MOST_STEPS;
  }

  private World newWorld() {
    return options.contains(SIMULATED) ? new World.Simulated(SEED) : new World.Real(stalls);
  }

  /** One exchange, and what follows; where it was thrown, empty if there are fewer steps. */
  private String exchange(int step) throws Exception {
    FaultPlan plan = new FaultPlan(fault, options.contains(LOSES_TASKS), step);
    List<String> seen = new ArrayList<>();
    AtomicReference<String> place = new AtomicReference<>("");
    World world = newWorld();
    try {
      world.run(() -> place.set(new Exchange(world, plan, seen).run()));
    } finally {
      FaultPlan.begin(new FaultPlan(fault, false, 0));
      if (!world.inTime(world::close, PATIENCE)) {
        seen.add("the network did not close");
      }
    }
    steps = plan.steps();
    if (seen.isEmpty() && !options.contains(SIMULATED)) {
      checkThreads(seen);
    }
    if (!seen.isEmpty()) {
      broken.add("step " + step + " (" + place + "): " + seen.getFirst());
    }
    return place.get();
  }

  /** Of the engine, with the names that its threads have. */
  private static void checkThreads(List<String> seen) throws InterruptedException {
    List<String> left = List.of();
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      left = Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .filter(name -> name.startsWith("heddle-"))
          .toList();
      if (left.isEmpty()) {
        return;
      }
      Thread.sleep(5);
    } while (System.nanoTime() < end);
    seen.add("threads are left: " + left);
  }

  private Response answer(World world, Request request) throws Exception {
    return switch (request.path()) {
      case "/echo" -> {
        String id = request.headers().first(ID);
        processed.add(Integer.parseInt(String.valueOf(id)));
        yield Response.ok(Integer.toString(request.body().bytes().length));
      }
      case "/fail" -> throw new IOException("this handler fails");
      case "/slow" -> {
        world.sleep(SOON.multipliedBy(2));
        yield Response.ok("ok");
      }
      default -> Response.ok("ok");
    };
  }

  /** The last of them passes its deadline, so that a timer fires and it is given up. */
  private List<Request> requests(String url) throws MalformedUrlException {
    posts++;
    return List.of(
        Request.get(url + "/small"),
        Request.post(url + "/echo", Body.of(new byte[CONTENT])).toBuilder()
            .header(ID, Integer.toString(posts))
            .build(),
        Request.get(url + "/fail"),
        Request.get(url + "/slow").toBuilder().deadline(SOON).build());
  }

  private final class Exchange {
    private final World world;
    private final FaultPlan plan;
    private final List<String> seen;
    private final FaultyNetwork faults;
    private final HttpServer server;
    private final HttpClient client;

    Exchange(World world, FaultPlan plan, List<String> seen) throws Exception {
      this.world = world;
      this.plan = plan;
      this.seen = seen;
      this.faults = new FaultyNetwork(plan);
      Network good = world.network();
      Network faulty = faults.over(good);
      HttpServer.Builder serving = HttpServer.builder()
          .handler(request -> answer(world, request))
          .executor(world.executor())
          .network(atServer ? faulty : good)
          .closeTimeout(Duration.ofMillis(200));
      HttpClient.Builder calling = HttpClient.builder()
          .network(atServer ? good : faulty)
          .timeouts(Timeouts.builder().call(CALL).close(Duration.ofMillis(200)).build());
      TestIdentity known = identity;
      if (known != null) {
        serving.tls(known.server());
        calling.tls(TlsOptions.builder().trust(List.of(known.certificate())).build());
      }
      server = serving.start();
      client = calling.build();
    }

    /** Where it was thrown. */
    String run() throws Exception {
      String place = "";
      try {
        if (!options.contains(SIMULATED)) {
          // How many records there are depends on the time of day: they are limited by the second.
          FaultPlan.begin(plan);
        }
        String url = (identity == null ? "http" : "https") + "://127.0.0.1:" + server.port();
        for (Request each : requests(url)) {
          if (seen.isEmpty()) {
            call(each);
          }
        }
        client.closeIdle(Duration.ZERO);
        if (seen.isEmpty()) {
          call(Request.get(url + "/small"));
        }
        place = plan.disarm();
        Throwable failure = seen.isEmpty() ? call(Request.get(url + "/small")) : null;
        if (failure != null) {
          seen.add("the next call failed with " + failure);
        }
        if (seen.isEmpty()) {
          checkLeft();
        }
      } finally {
        FaultPlan.begin(new FaultPlan(fault, false, 0));
        close(client::close, "the client");
        close(server::close, "the server");
      }
      return place;
    }

    private void close(Runnable what, String name) throws Exception {
      if (!world.inTime(what, PATIENCE)) {
        seen.add(name + " did not close");
      }
    }

    /** Makes a call on a thread that is given up if it never ends; how it failed. */
    private @Nullable Throwable call(Request request) throws Exception {
      AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
      long start = world.nanoTime();
      boolean ended = world.inTime(() -> failed.set(outcome(request)), CALL.plus(PATIENCE));
      long took = world.nanoTime() - start;
      Throwable failure = failed.get();
      if (!ended) {
        seen.add("a call never ended");
      } else if (took > CALL.plus(MARGIN).toNanos()) {
        seen.add("a call took " + took / 1_000_000 + " ms, its deadline was " + CALL.toMillis());
      } else if (!(failure == null || failure instanceof IOException || Fault.isBehind(failure))) {
        seen.add("a call ended with " + failure);
      }
      return failure;
    }

    private @Nullable Throwable outcome(Request request) {
      try (Response response = client.send(request.toBuilder().version(version).build())) {
        response.bytes();
        return null;
      } catch (IOException | RuntimeException | Error e) {
        return e;
      }
    }

    /** What a lost task holds is released at the latest when the call's deadline has passed. */
    private void checkLeft() throws Exception {
      String left = left();
      long end = world.nanoTime() + PATIENCE.toNanos();
      boolean closed = false;
      while (!left.isEmpty() && world.nanoTime() < end) {
        if (!closed && server.active() == 0 && inFlight() == 0) {
          client.closeIdle(Duration.ZERO);
          closed = true;
        }
        world.sleep(Duration.ofMillis(5));
        left = left();
      }
      if (!left.isEmpty()) {
        seen.add("left: " + left + client.pool().routes());
      }
      if (processed.repeated() > 0) {
        seen.add("a POST was processed twice");
      }
    }

    private String left() {
      StringBuilder left = new StringBuilder();
      add(left, "calls", inFlight());
      add(left, "requests", server.active());
      add(left, "connections of the server", server.connections());
      add(left, "bytes held by the server", server.memoryHeld());
      add(left, "connections of the pool", client.pool().open());
      add(left, "channels", faults.openChannels());
      return left.toString();
    }

    private static void add(StringBuilder left, String what, long count) {
      if (count > 0) {
        left.append(count).append(' ').append(what).append(", ");
      }
    }

    private int inFlight() {
      return client.pool().routes().stream()
          .mapToInt(PoolSnapshot.RouteSnapshot::inFlight)
          .sum();
    }
  }
}
