package heddle.jmh;

import com.sun.management.UnixOperatingSystemMXBean;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens many requests at once, each on its own connection, and prints the heap per request while it
 * waits for its answer, and per connection that is idle in the pool afterwards. The heap is that of
 * the whole process, including the virtual threads of the callers. Another client warms up the code
 * before.
 *
 * <p>Arguments: the number of requests (default 15,000), and how many seconds the server holds each
 * (default 20). All must be open before the first is answered; otherwise the figures would be too
 * low, and it says so and exits with 1.
 */
public final class HeldRequests {
  private static final String USAGE = "[REQUESTS [SECONDS]]";
  private static final int DEFAULT_REQUESTS = 15_000;
  private static final int DEFAULT_HOLD_SECONDS = 20;
  private static final int MAX_HOLD_SECONDS = 3_600;
  private static final long GOAL_IN_FLIGHT_BYTES = 4_096;
  private static final long GOAL_IDLE_BYTES = 1_536;

  /** Descriptors for everything else: the JDK's own, selectors, the server's pipes. */
  private static final int OTHER_DESCRIPTORS = 200;

  /**
   * Time to connect and to receive the answer, on top of the time that the server holds a request.
   */
  private static final Duration MARGIN = Duration.ofSeconds(60);

  private static final int WARM_UP_CALLERS = 64;
  private static final int WARM_UP_CALLS = 1_500;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int count;
  private final Duration hold;
  private final HeldServer server;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

  private HeldRequests(int count, Duration hold, HeldServer server) {
    this.count = count;
    this.hold = hold;
    this.server = server;
  }

  public static void main(String[] args) throws Exception {
    int count;
    int seconds;
    try {
      count = Arguments.number(args, 0, DEFAULT_REQUESTS, 1_000_000, USAGE);
      seconds = Arguments.number(args, 1, DEFAULT_HOLD_SECONDS, MAX_HOLD_SECONDS, USAGE);
      requireDescriptors(count + OTHER_DESCRIPTORS);
    } catch (IllegalArgumentException e) {
      System.err.println("held: " + e.getMessage());
      System.exit(2);
      return;
    }
    boolean good;
    try (HeldServer server = HeldServer.start(count)) {
      good = new HeldRequests(count, Duration.ofSeconds(seconds), server).run();
    }
    System.exit(good ? 0 : 1);
  }

  private static void requireDescriptors(int needed) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
        && os.getMaxFileDescriptorCount() < needed) {
      throw new IllegalArgumentException("a process may open "
          + os.getMaxFileDescriptorCount()
          + " descriptors and "
          + needed
          + " are needed: raise the limit with ulimit -n "
          + needed
          + ", or ask for fewer requests");
    }
  }

  private boolean run() throws IOException, InterruptedException {
    int ownThreads = THREADS.getThreadCount();
    Duration whole = hold.plus(MARGIN);
    PoolLimits limits = PoolLimits.builder()
        .maxPerRoute(count)
        .maxTotal(count)
        .idleTimeout(whole)
        .build();
    Timeouts timeouts =
        Timeouts.builder().call(whole).silence(whole).connect(MARGIN).build();
    try (HttpClient client =
            HttpClient.builder().poolLimits(limits).timeouts(timeouts).build();
        HttpClient observer = HttpClient.create()) {
      warmUp();
      server.active(observer);
      long before = Heap.live();
      List<Thread> callers = startAll(client);
      boolean allHeld = awaitAllHeld(observer);
      long inFlight = Heap.live();
      allHeld &= answered.get() == 0 && server.active(observer) == count;
      join(callers, whole);
      callers.clear();
      int idle = idleConnections(client);
      long idleHeap = Heap.live();
      print(allHeld, (inFlight - before) / count, idle, (idleHeap - before) / Math.max(1, idle));
      int cores = Runtime.getRuntime().availableProcessors();
      System.out.printf(
          "%-50s %,10d%n",
          "platform threads in addition to the JVM's (goal %d)".formatted(cores + 4),
          THREADS.getPeakThreadCount() - ownThreads);
      return allHeld && failed.get() == 0 && idle == count;
    }
  }

  /** Warms up the code, because interpreted frames are larger, and parked threads keep theirs. */
  private void warmUp() throws IOException, InterruptedException {
    Request reusing = server.hello();
    Request closing = reusing.toBuilder().header("Connection", "close").build();
    try (HttpClient client = HttpClient.create()) {
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < WARM_UP_CALLERS; i++) {
        callers.add(Thread.ofVirtual().start(() -> {
          for (int call = 0; call < WARM_UP_CALLS && failed.get() == 0; call++) {
            call(client, call % 4 == 0 ? closing : reusing);
          }
        }));
      }
      join(callers, MARGIN);
    }
    answered.set(0);
  }

  private List<Thread> startAll(HttpClient client) throws IOException {
    Request held = server.held(hold);
    List<Thread> callers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      callers.add(Thread.ofVirtual().start(() -> call(client, held)));
    }
    return callers;
  }

  private void call(HttpClient client, Request held) {
    try (Response response = client.send(held)) {
      response.body().discard();
      answered.incrementAndGet();
    } catch (IOException | RuntimeException e) {
      firstFailure.compareAndSet(null, e);
      failed.incrementAndGet();
    }
  }

  /**
   * Waits until the server reports that it holds all requests, at most until it answers the first.
   */
  private boolean awaitAllHeld(HttpClient observer) throws IOException, InterruptedException {
    while (answered.get() == 0 && failed.get() == 0) {
      if (server.active(observer) == count) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return false;
  }

  static void join(List<Thread> callers, Duration bound) throws InterruptedException {
    long deadline = System.nanoTime() + bound.toNanos();
    for (Thread caller : callers) {
      long left = Math.max(1, deadline - System.nanoTime());
      if (!caller.join(Duration.ofNanos(left))) {
        throw new IllegalStateException("calls continue although their deadline has passed");
      }
    }
  }

  private static int idleConnections(HttpClient client) {
    return client.pool().routes().stream().mapToInt(route -> route.idle()).sum();
  }

  private void print(boolean allHeld, long inFlightBytes, int idle, long idleBytes) {
    if (!allHeld) {
      System.out.println("Not all requests were open at once, so the figures below are too low:"
          + " ask for fewer, or let the server hold them longer.");
    }
    System.out.printf(
        "%-50s %,10d%n%-50s %,10d%n%-50s %,10d%n",
        "requests", count, "answered", answered.get(), "errors (goal 0)", failed.get());
    System.out.printf(
        "%-50s %,10d bytes%n",
        "heap for each request in flight (goal %,d)".formatted(GOAL_IN_FLIGHT_BYTES),
        inFlightBytes);
    System.out.printf("%-50s %,10d%n", "idle connections in the pool", idle);
    System.out.printf(
        "%-50s %,10d bytes%n",
        "heap for each of them (goal %,d)".formatted(GOAL_IDLE_BYTES), idleBytes);
    Throwable failure = firstFailure.get();
    if (failure != null) {
      System.out.println("the first error: " + failure + hint(failure));
    }
  }

  private static String hint(Throwable failure) {
    return failure.toString().contains("Too many open files")
        ? "; raise the limit with ulimit -n, for the server too"
        : "";
  }
}
