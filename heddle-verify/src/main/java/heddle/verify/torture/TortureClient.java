package heddle.verify.torture;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.PoolSnapshot;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process that calls hostile servers, and a good one meanwhile, through one client. Each line of
 * its standard input names a hostile server, or asks that the heap be filled while the good one is
 * called; when that ends, so does the process.
 */
public final class TortureClient {
  static final Duration DEADLINE = Duration.ofSeconds(2);
  static final String FILL = "fill";
  private static final Duration WARM_UP = Duration.ofMillis(1_500);
  private static final Duration IDLE = Duration.ofMillis(900);

  /** How long the hostile server is called again and again. */
  static final Duration ATTACK = Duration.ofSeconds(3);

  /** So that calls that fail at once do not use up the processor. */
  private static final Duration BETWEEN_CALLS = Duration.ofMillis(200);

  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final long BETWEEN_LOOKS = 400;
  private static final long NORMAL_NANOS = 100_000_000;

  /** As many connections as a trial makes calls, so that descriptors are what there are few of. */
  private static final int CONNECTIONS = 400;

  private final HttpClient client = HttpClient.builder()
      .timeouts(Timeouts.builder().call(DEADLINE).build())
      .poolLimits(PoolLimits.builder()
          .maxTotal(2 * CONNECTIONS)
          .maxPerRoute(CONNECTIONS)
          .build())
      .build();
  private final Stalls stalls = new Stalls();
  private final String good;

  /** How a call ended; null if it did not fail. */
  private record Ended(long nanos, @Nullable String failure) {}

  /** How it was before. */
  private record Before(Latencies idle, long heap, long threads) {}

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
      System.out.println(line.equals(FILL) ? torture.besideNeighbour() : torture.visit(line));
      line = in.readLine();
    }
    Runtime.getRuntime().halt(0);
  }

  private Before before() throws Exception {
    callGood(WARM_UP);
    Latencies idle = Latencies.of(callGood(IDLE));
    return new Before(idle, ProcessState.liveBytes(), threads());
  }

  private static long threads() throws IOException {
    return (long) ProcessState.platformThreads() + ProcessState.virtualThreads().size();
  }

  /** @param line the URL, {@code h1} or {@code h2}, and how many calls are made at once */
  private String visit(String line) throws Exception {
    String[] words = line.split(" ", -1);
    HttpVersion version = words[1].equals("h2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    Before before = before();
    List<Future<List<Ended>>> callers = new ArrayList<>();
    List<Victim.Call> during = new ArrayList<>();
    AtomicLong peak = new AtomicLong();
    Thread looking = Thread.ofPlatform().daemon().start(() -> look(peak));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < Integer.parseInt(words[2]); i++) {
        callers.add(threads.submit(() -> callAgainAndAgain(words[0], version)));
      }
      long end = System.nanoTime() + ATTACK.plus(DEADLINE.multipliedBy(2)).toNanos();
      while (!callers.stream().allMatch(Future::isDone) && System.nanoTime() < end) {
        during.add(callGoodOnce());
        Thread.sleep(1);
      }
      if (!callers.stream().allMatch(Future::isDone)) {
        return "stuck " + callers.stream().filter(caller -> !caller.isDone()).count();
      }
    }
    looking.interrupt();
    looking.join();
    List<Ended> ended = new ArrayList<>();
    for (Future<List<Ended>> caller : callers) {
      ended.addAll(caller.get());
    }
    return report(before, ended, Latencies.of(during), Math.max(0, peak.get() - before.heap()));
  }

  private List<Ended> callAgainAndAgain(String url, HttpVersion version)
      throws InterruptedException {
    List<Ended> ended = new ArrayList<>();
    long end = System.nanoTime() + ATTACK.toNanos();
    while (System.nanoTime() < end) {
      ended.add(call(url, version));
      Thread.sleep(BETWEEN_CALLS);
    }
    return ended;
  }

  /** Calls the good server while other code has the whole heap. */
  private String besideNeighbour() throws Exception {
    Before before = before();
    long[] longest = new long[1];
    FutureTask<String> filling = new FutureTask<>(Neighbour::fillHeap);
    Thread.ofPlatform().daemon().start(filling);
    while (!filling.isDone()) {
      long start = System.nanoTime();
      try {
        call(good, HttpVersion.HTTP_1_1);
      } catch (OutOfMemoryError e) {
        // Of this code, which tells how a call ended.
      }
      long end = System.nanoTime();
      longest[0] = Math.max(longest[0], end - start - stalls.nanosWithin(start, end));
    }
    String said = filling.get();
    Ended last = new Ended(longest[0], said);
    return report(before, List.of(last), Latencies.of(List.of()), 0);
  }

  private String report(Before before, List<Ended> ended, Latencies others, long heap)
      throws Exception {
    double seconds = secondsToService();
    long inFlight = inFlight();
    client.closeIdle(Duration.ZERO);
    long connections = leftOpen();
    List<String> failures =
        ended.stream().map(Ended::failure).filter(each -> each != null).toList();
    return new ClientReport(
            ended.stream().mapToLong(Ended::nanos).max().orElse(0) / 1_000_000,
            ended.size() - failures.size(),
            failures.stream().filter(each -> each.contains("DeadlineExceeded")).count(),
            failures.stream().filter(each -> each.matches("\\S*Error\\b.*")).count(),
            heap,
            before.idle().millis(0.5),
            before.idle().millis(0.99),
            others.millis(0.5),
            others.millis(0.99),
            others.failed(),
            inFlight,
            seconds,
            connections,
            threadsLeft(before),
            Math.max(0, ProcessState.liveBytes() - before.heap()),
            failures.isEmpty() ? "" : failures.getLast())
        .line();
  }

  /** Until a call to the good server is answered as fast as ever; NaN if that takes too long. */
  private double secondsToService() throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      Ended next = call(good, HttpVersion.HTTP_1_1);
      if (next.failure() == null && next.nanos() < NORMAL_NANOS) {
        long now = System.nanoTime();
        return (now - start - stalls.nanosWithin(start, now)) / 1e9;
      }
      Thread.sleep(5);
    }
    return Double.NaN;
  }

  private int inFlight() throws InterruptedException {
    int sum = 1;
    for (int i = 0; i < 50 && sum > 0; i++) {
      sum = client.pool().routes().stream()
          .mapToInt(PoolSnapshot.RouteSnapshot::inFlight)
          .sum();
      Thread.sleep(20);
    }
    return sum;
  }

  private int leftOpen() throws InterruptedException {
    int open = client.pool().open();
    for (int i = 0; i < 50 && open > 0; i++) {
      Thread.sleep(20);
      open = client.pool().open();
    }
    return open;
  }

  private static long threadsLeft(Before before) throws Exception {
    long more = threads() - before.threads();
    // Carriers of virtual threads end after 30 s without work; there is one more per processor.
    long carriers = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < 20 && more > carriers; i++) {
      Thread.sleep(50);
      more = threads() - before.threads();
    }
    return Math.max(0, more - carriers);
  }

  private static void look(AtomicLong peak) {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        peak.accumulateAndGet(ProcessState.liveBytes(), Math::max);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    } catch (IOException | RuntimeException | Error e) {
      failure = e.toString();
    }
    long end = System.nanoTime();
    return new Ended(end - start - stalls.nanosWithin(start, end), failure);
  }
}
