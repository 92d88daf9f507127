package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.client.call.Timeouts;
import heddle.client.pool.PoolLimits;
import heddle.client.pool.PoolSnapshot;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A process that calls hostile servers, and a good one meanwhile, through one client. Each line of
 * its standard input names a hostile server; when that ends, so does the process.
 */
public final class TortureClient {
  static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration WARM_UP = Duration.ofMillis(600);
  private static final Duration IDLE = Duration.ofMillis(500);
  private static final long BETWEEN_LOOKS = 400;

  /** As many connections as a trial makes calls, so that descriptors are what there are few of. */
  private static final int CONNECTIONS = 400;

  private final HttpClient client = HttpClient.builder()
      .timeouts(Timeouts.DEFAULTS.withCall(DEADLINE))
      .poolLimits(PoolLimits.DEFAULTS.withMaxTotal(2 * CONNECTIONS).withMaxPerRoute(CONNECTIONS))
      .build();
  private final Stalls stalls = new Stalls();
  private final String good;

  /** What the calls of a round to a hostile server came to. */
  private record Ended(long nanos, @Nullable String failure) {}

  private TortureClient(String good) {
    this.good = good;
  }

  /** Takes the URL of a server that answers as it should. */
  public static void main(String[] args) throws Exception {
    TortureClient torture = new TortureClient(args[0]);
    System.out.println("port 0");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = in.readLine();
    while (line != null) {
      String[] words = line.split(" ", -1);
      HttpVersion version = words[1].equals("h2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
      String said = torture.visit(words[0], version, Integer.parseInt(words[2]));
      System.out.println(said);
      line = in.readLine();
    }
    Runtime.getRuntime().halt(0);
  }

  private String visit(String url, HttpVersion version, int calls) throws Exception {
    callGood(WARM_UP);
    System.gc();
    long before = used();
    Latencies idle = Latencies.of(callGood(IDLE));
    List<Future<Ended>> visits = new ArrayList<>();
    List<Victim.Call> during = new ArrayList<>();
    long peak = before;
    // The client lives on; its calls end with their deadlines.
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < calls; i++) {
        visits.add(threads.submit(() -> call(url, version)));
      }
      var looks = new ConcurrentLinkedQueue<Long>();
      Thread looking = Thread.ofPlatform().daemon().start(() -> look(looks));
      long end = System.nanoTime() + 3 * DEADLINE.toNanos();
      while (!visits.stream().allMatch(Future::isDone) && System.nanoTime() < end) {
        during.add(callGoodOnce());
        Thread.sleep(1);
      }
      looking.interrupt();
      for (long each : looks) {
        peak = Math.max(peak, each);
      }
      if (!visits.stream().allMatch(Future::isDone)) {
        return "stuck " + visits.stream().filter(visit -> !visit.isDone()).count();
      }
    }
    long longest = 0;
    int failed = 0;
    String why = "";
    for (Future<Ended> visit : visits) {
      Ended ended = visit.get();
      longest = Math.max(longest, ended.nanos());
      if (ended.failure() != null) {
        failed++;
        why = ended.failure();
      }
    }
    Latencies others = Latencies.of(during);
    return String.format(
        Locale.ROOT,
        "ended %d %d %d %.3f %.3f %.3f %.3f %d %d %s %s",
        longest / 1_000_000,
        failed,
        Math.max(0, peak - before),
        idle.millis(0.5),
        idle.millis(0.99),
        others.millis(0.5),
        others.millis(0.99),
        others.failed(),
        inFlight(),
        next(),
        why.replace('\n', ' '));
  }

  /** How the first call afterwards ends. */
  private String next() {
    String failure = call(good, HttpVersion.HTTP_1_1).failure();
    return failure == null ? "answered" : failure.replace(' ', '_').replace('\n', '_');
  }

  /** Calls that the pool believes to be under way although all have ended. */
  private int inFlight() throws InterruptedException {
    int sum = 0;
    for (int i = 0; i < 50; i++) {
      sum = client.pool().routes().stream()
          .mapToInt(PoolSnapshot.RouteSnapshot::inFlight)
          .sum();
      if (sum == 0) {
        break;
      }
      Thread.sleep(20);
    }
    return sum;
  }

  private static void look(ConcurrentLinkedQueue<Long> looks) {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        System.gc();
        looks.add(used());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private List<Victim.Call> callGood(Duration time) throws InterruptedException {
    List<Victim.Call> calls = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      calls.add(callGoodOnce());
      Thread.sleep(1);
    }
    return calls;
  }

  private Victim.Call callGoodOnce() {
    Ended ended = call(good, HttpVersion.HTTP_1_1);
    String failure = ended.failure();
    return new Victim.Call(
        ended.nanos(), failure == null ? 200 : 0, failure == null ? "" : failure);
  }

  private Ended call(String url, HttpVersion version) {
    long start = System.nanoTime();
    String failure = null;
    try (Response response =
        client.send(Request.get(url).toBuilder().version(version).build())) {
      response.bytes();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failure = e.toString();
    }
    long end = System.nanoTime();
    return new Ended(end - start - stalls.nanosWithin(start, end), failure);
  }
}
