package heddle.jmh;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * Lets many callers wait for a connection of one route, and prints how much heap each of them
 * holds, its virtual thread included; the goal is at most 2,048 bytes. It does so several times:
 * frames that are interpreted, or compiled by the first compiler, are larger than those of later
 * rounds.
 *
 * <p>Arguments: the number of callers (default 100,000). Exits with 1 if not all of them wait, or
 * if closing the client does not end all of them.
 */
public final class WaitingCallers {
  private static final String USAGE = "[CALLERS]";
  private static final int DEFAULT_CALLERS = 100_000;

  /** Longer than the measurement; nothing waits for it. */
  private static final Duration HOLD = Duration.ofMinutes(10);

  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int WARM_UP_CALLERS = 1_000;
  private static final int WARM_UP_CALLS = 50_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UP_CONNECTIONS = 4;

  private WaitingCallers() {}

  public static void main(String[] args) throws Exception {
    int callers;
    try {
      callers = Arguments.number(args, 0, DEFAULT_CALLERS, 1_000_000, USAGE);
    } catch (IllegalArgumentException e) {
      System.err.println("waiting: " + e.getMessage());
      System.exit(2);
      return;
    }
    boolean good = true;
    try (HeldServer server = HeldServer.start(WARM_UP_CONNECTIONS + ROUNDS)) {
      warmUp(server);
      System.out.printf("%5s %10s %10s %10s%n", "round", "waiting", "bytes", "ended");
      for (int round = 1; round <= ROUNDS && good; round++) {
        good = measure(server, callers, round);
      }
    }
    System.exit(good ? 0 : 1);
  }

  private static HttpClient client(int connections, int waiting) {
    PoolLimits limits =
        PoolLimits.builder().maxPerRoute(connections).maxQueuedPerRoute(waiting).build();
    Timeouts timeouts = Timeouts.builder().call(HOLD).silence(HOLD).build();
    return HttpClient.builder().poolLimits(limits).timeouts(timeouts).build();
  }

  /** Like a program that has a thread for each call. */
  private static void warmUp(HeldServer server) throws IOException, InterruptedException {
    Request hello = server.hello();
    AtomicInteger failed = new AtomicInteger();
    try (HttpClient client = client(WARM_UP_CONNECTIONS, WARM_UP_CALLERS)) {
      for (int done = 0; done < WARM_UP_CALLS; done += WARM_UP_CALLERS) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < WARM_UP_CALLERS; i++) {
          callers.add(Thread.ofVirtual().start(() -> call(client, hello, failed)));
        }
        HeldRequests.join(callers, BOUND);
      }
    }
    if (failed.get() > 0) {
      throw new IOException("the warm-up failed");
    }
  }

  private static void call(HttpClient client, Request request, AtomicInteger failed) {
    try (Response response = client.send(request)) {
      response.body().discard();
    } catch (IOException | RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  /** Returns whether all callers waited, and ended with their client. */
  private static boolean measure(HeldServer server, int count, int round)
      throws IOException, InterruptedException {
    AtomicInteger ended = new AtomicInteger();
    List<Thread> threads = new ArrayList<>(count + 1);
    Request held = server.held(HOLD);
    int waiting;
    long bytes;
    try (HttpClient client = client(1, count)) {
      threads.add(Thread.ofVirtual().start(() -> call(client, held, ended)));
      awaitCalls(client, RouteSnapshot::inFlight, 1, ended);
      long before = Heap.live();
      for (int i = 0; i < count; i++) {
        threads.add(Thread.ofVirtual().start(() -> call(client, held, ended)));
      }
      awaitCalls(client, RouteSnapshot::pending, count, ended);
      bytes = (Heap.live() - before) / count;
      waiting = calls(client, RouteSnapshot::pending);
    }
    HeldRequests.join(threads, BOUND);
    System.out.printf("%5d %,10d %,10d %,10d%n", round, waiting, bytes, ended.get());
    return waiting == count && ended.get() == threads.size();
  }

  private static void awaitCalls(
      HttpClient client, ToIntFunction<RouteSnapshot> which, int count, AtomicInteger ended)
      throws InterruptedException {
    while (calls(client, which) < count && ended.get() == 0) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static int calls(HttpClient client, ToIntFunction<RouteSnapshot> which) {
    return client.pool().routes().stream().mapToInt(which).sum();
  }
}
