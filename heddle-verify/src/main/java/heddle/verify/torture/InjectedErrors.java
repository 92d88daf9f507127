package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.client.call.Timeouts;
import heddle.client.pool.PoolSnapshot;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Repeats an exchange between a client and a server, and each time throws at another step of one of
 * them, until all steps have had their turn. Afterwards the next call must succeed and nothing may
 * be left behind. Runs in a separate process, because its loggers throw too.
 */
public final class InjectedErrors {
  private static final Duration CALL = Duration.ofMillis(700);
  private static final Duration MARGIN = Duration.ofMillis(250);

  /** For all steps; a step that does no harm takes a twentieth of a second. */
  private static final Duration MOST = Duration.ofSeconds(30);

  /** The deadline of a call that passes it. */
  private static final Duration SOON = Duration.ofMillis(40);

  /** To close what may hang. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int MOST_BROKEN = 2;
  private static final int MOST_STEPS = 1_000;
  private static final int CONTENT = 40_000;

  private final Fault fault;
  private final boolean atServer;
  private final HttpVersion version;
  private final Stalls stalls = new Stalls();
  private final List<String> broken = new ArrayList<>();

  private InjectedErrors(Fault fault, boolean atServer, HttpVersion version) {
    this.fault = fault;
    this.atServer = atServer;
    this.version = version;
  }

  /** Takes a {@link Fault}, {@code server} or {@code client}, {@code h1} or {@code h2}. */
  public static void main(String[] args) throws Exception {
    HttpVersion version = args[2].equals("h2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    var errors = new InjectedErrors(Fault.valueOf(args[0]), args[1].equals("server"), version);
    System.out.println("port 0");
    int steps = errors.run();
    System.out.println("done " + steps + " " + String.join("; ", errors.broken));
    Runtime.getRuntime().halt(0);
  }

  /** How many steps had their turn. */
  private int run() throws Exception {
    // Classes are loaded and logged about before it counts.
    exchange(MOST_STEPS);
    broken.clear();
    long end = System.nanoTime() + MOST.toNanos();
    for (int step = 1; step < MOST_STEPS; step++) {
      String place = exchange(step);
      if (place.isEmpty() || broken.size() >= MOST_BROKEN) {
        return step - 1;
      }
      if (System.nanoTime() > end) {
        broken.add("not all steps had their turn within " + MOST);
        return step;
      }
    }
    return MOST_STEPS;
  }

  /** One exchange, and what follows; where it was thrown, empty if there are fewer steps. */
  private String exchange(int step) throws Exception {
    FaultPlan plan = new FaultPlan(fault, step);
    List<String> seen = new ArrayList<>();
    String place = "";
    Network network = TcpNetwork.create();
    Network faulty = FaultyNetwork.over(network, plan);
    HttpServer.Builder builder =
        HttpServer.builder().handler(InjectedErrors::answer).closeTimeout(Duration.ofMillis(200));
    HttpServer server = atServer ? builder.network(faulty).start() : builder.start();
    HttpClient.Builder calls = HttpClient.builder()
        .timeouts(Timeouts.DEFAULTS.withCall(CALL).withClose(Duration.ofMillis(200)));
    HttpClient client = atServer ? calls.build() : calls.network(faulty).build();
    try {
      FaultPlan.begin(plan);
      String url = "http://127.0.0.1:" + server.port();
      for (Request each : requests(url)) {
        if (seen.isEmpty()) {
          call(client, each, seen);
        }
      }
      client.closeIdle(Duration.ZERO);
      if (seen.isEmpty()) {
        call(client, Request.get(url + "/small"), seen);
      }
      place = plan.disarm();
      String failure = seen.isEmpty() ? call(client, Request.get(url + "/small"), seen) : "";
      if (!failure.isEmpty()) {
        seen.add("the next call failed with " + failure);
      }
      if (seen.isEmpty()) {
        checkLeft(client, server, seen);
      }
    } finally {
      FaultPlan.begin(new FaultPlan(fault, 0));
      inTime(client::close, "the client did not close", seen);
      inTime(server::close, "the server did not close", seen);
      inTime(network::close, "the network did not close", seen);
    }
    if (!seen.isEmpty()) {
      broken.add("step " + step + " (" + place + "): " + seen.getFirst());
    }
    return place;
  }

  /** The last of them passes its deadline, so that a timer fires and it is given up. */
  private static List<Request> requests(String url) throws MalformedUrlException {
    return List.of(
        Request.get(url + "/small"),
        Request.post(url + "/echo", Body.of(new byte[CONTENT])),
        Request.get(url + "/fail"),
        Request.get(url + "/slow").toBuilder().deadline(SOON).build());
  }

  private static Response answer(Request request) throws Exception {
    return switch (request.path()) {
      case "/echo" -> Response.ok(Integer.toString(request.body().bytes().length));
      case "/fail" -> throw new IOException("this handler fails");
      case "/slow" -> {
        Thread.sleep(SOON.multipliedBy(2));
        yield Response.ok("ok");
      }
      default -> Response.ok("ok");
    };
  }

  /** Makes a call on a thread that is given up if it never ends; how it failed, empty if not. */
  private String call(HttpClient client, Request request, List<String> seen) throws Exception {
    var task = new FutureTask<>(() -> {
      try (Response response = client.send(request.toBuilder().version(version).build())) {
        response.bytes();
        return "";
      } catch (IOException | RuntimeException | Error e) {
        return e.toString();
      }
    });
    long start = System.nanoTime();
    Thread.ofVirtual().start(task);
    try {
      String failure = task.get(CALL.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
      long end = System.nanoTime();
      long took = end - start - stalls.nanosWithin(start, end);
      if (took > CALL.plus(MARGIN).toNanos()) {
        seen.add("a call took " + took / 1_000_000 + " ms, its deadline was " + CALL.toMillis());
      }
      return failure;
    } catch (TimeoutException e) {
      seen.add("a call never ended");
      return "nothing";
    }
  }

  private static void checkLeft(HttpClient client, HttpServer server, List<String> seen)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    int inFlight = inFlight(client);
    while ((inFlight > 0 || server.active() > 0) && System.nanoTime() < end) {
      Thread.sleep(5);
      inFlight = inFlight(client);
    }
    if (inFlight > 0 || server.active() > 0) {
      seen.add(inFlight + " calls and " + server.active() + " requests are still counted");
    }
    client.closeIdle(Duration.ZERO);
    while (server.connections() > 0 && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    if (server.connections() > 0) {
      seen.add(server.connections() + " connections are left: " + client.pool().routes());
    }
  }

  private static int inFlight(HttpClient client) {
    return client.pool().routes().stream()
        .mapToInt(PoolSnapshot.RouteSnapshot::inFlight)
        .sum();
  }

  private static void inTime(Runnable what, String failure, List<String> seen) throws Exception {
    var thread = Executors.newSingleThreadExecutor(
        Thread.ofPlatform().daemon().name("torture-close").factory());
    Future<?> closed = thread.submit(what);
    try {
      closed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      seen.add(failure);
    } finally {
      thread.shutdownNow();
    }
  }
}
