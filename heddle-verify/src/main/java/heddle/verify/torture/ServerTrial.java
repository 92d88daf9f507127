package heddle.verify.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * An attack on a server in a new process, and a victim that calls before, during and after it.
 *
 * @param heapMegabytes largest heap of the server's process
 * @param connectionAllowance bytes of heap that each connection may cost, whatever it sends
 * @param attackTime how long the attack goes on
 * @param server arguments of {@link TortureServer}
 * @param attack what is done
 */
record ServerTrial(
    String name,
    String what,
    int heapMegabytes,
    int connectionAllowance,
    Duration attackTime,
    List<String> server,
    Attack attack)
    implements Trial {
  static final int HTTP1 = 64 << 10;
  static final int HTTP2 = 512 << 10;

  /** Of the server's arguments: it is to speak TLS. */
  static final String TLS = "tls";

  /** Begins an argument that is the process's own: how many descriptors it may have. */
  static final String DESCRIPTORS = "descriptors=";

  /** What a process may hold more for itself, such as classes that it has not used before. */
  static final int NOISE = 4 << 20;

  /** Begins the one failure that may be the machine's fault. */
  static final String SLOW = "the victim's p";

  private static final int HEAP_PER_BYTE = 16;
  private static final Duration WARM_UP = Duration.ofMillis(700);
  private static final Duration IDLE = Duration.ofMillis(900);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(800);
  private static final Duration RECOVERY = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /** Above this many bytes a second the victim may notice. */
  private static final double QUIET_BYTES_PER_SECOND = 1e6;

  /** What is done to the server. */
  interface Attack {
    void run(Assault assault) throws Exception;
  }

  /** What the server's process has said of itself. */
  record Status(long heapBytes, int connections, int active) {
    static @Nullable Status of(Child child) throws InterruptedException {
      String line = child.ask("status");
      if (line == null || !line.startsWith("status ")) {
        return null;
      }
      String[] parts = line.split(" ", -1);
      return new Status(
          Long.parseLong(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    }
  }

  @Override
  public int seconds() {
    return (int) attackTime.toSeconds() + 3;
  }

  /** The same with an attack that takes so long. */
  ServerTrial lasting(Duration time) {
    return new ServerTrial(name, what, heapMegabytes, connectionAllowance, time, server, attack);
  }

  /** What others on the machine do can make the victim slow for once, not twice. */
  @Override
  public Result run(Stalls stalls) throws Exception {
    Result result = runOnce(stalls);
    boolean slowOnly =
        !result.passed() && result.failures().stream().allMatch(each -> each.startsWith(SLOW));
    return slowOnly ? runOnce(stalls) : result;
  }

  private Result runOnce(Stalls stalls) throws Exception {
    List<String> arguments = new ArrayList<>(server);
    int descriptors = 0;
    for (String each : server) {
      if (each.startsWith(DESCRIPTORS)) {
        descriptors = Integer.parseInt(each.substring(DESCRIPTORS.length()));
        arguments.remove(each);
      }
    }
    Path folder = Files.createTempDirectory("heddle-torture");
    if (arguments.remove(TLS)) {
      arguments.add("tls=" + TestTls.identity(folder));
    }
    try (Child child = Child.start(
        new Child.Options(heapMegabytes, descriptors, null),
        TortureServer.class,
        arguments.toArray(String[]::new))) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), child.port());
      return new Run(child, address, stalls).run();
    } finally {
      Files.deleteIfExists(folder.resolve(TestTls.FILE));
      Files.delete(folder);
    }
  }

  private final class Run {
    private final Child child;
    private final InetSocketAddress address;
    private final Stalls stalls;
    private final @Nullable SSLSocketFactory tls;
    private final List<String> failures = new ArrayList<>();
    private long peak;

    Run(Child child, InetSocketAddress address, Stalls stalls) throws GeneralSecurityException {
      this.child = child;
      this.address = address;
      this.stalls = stalls;
      this.tls = server.contains(TLS) ? TestTls.trusting() : null;
    }

    Result run() throws Exception {
      try (Victim victim = new Victim(address, stalls, tls)) {
        Thread.sleep(WARM_UP);
        Status before = Status.of(child);
        if (before == null) {
          throw new IOException("the server's process says nothing: " + child.errors());
        }
        victim.take();
        Thread.sleep(IDLE);
        Latencies idle = victim.take();
        Assault assault = new Assault(address, attackTime);
        Latencies during;
        try {
          attack(assault);
          during = victim.take();
        } finally {
          assault.closeAll();
        }
        double recovered = recovery();
        double seconds = assault.seconds();
        judge(assault, before, idle, during, seconds);
        return new Result(
            name,
            assault.bytesSent(),
            Math.max(0, peak - before.heapBytes()),
            idle.millis(0.5),
            idle.millis(0.99),
            during.millis(0.5),
            during.millis(0.99),
            recovered,
            failures,
            assault.note());
      }
    }

    private void attack(Assault assault) throws InterruptedException {
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        attack.run(assault);
        return true;
      });
      Thread attacker = Thread.ofPlatform().daemon().name("torture-attack").start(task);
      while (!attacker.join(BETWEEN_LOOKS)) {
        look();
        if (!child.isAlive()) {
          attacker.interrupt();
        }
      }
      look();
      failures.addAll(assault.failures());
      if (task.state() == FutureTask.State.FAILED) {
        failures.add("the attack broke off: " + task.exceptionNow());
      }
    }

    private void look() throws InterruptedException {
      Status status = Status.of(child);
      if (status != null) {
        peak = Math.max(peak, status.heapBytes());
      }
    }

    /** Seconds until a new connection is answered as ever. */
    private double recovery() throws InterruptedException {
      long start = System.nanoTime();
      while (System.nanoTime() - start < PATIENCE.toNanos()) {
        long from = System.nanoTime();
        boolean normal = Victim.once(address, tls) == 200;
        long now = System.nanoTime();
        if (normal && now - from - stalls.nanosWithin(from, now) < 100_000_000) {
          double seconds = (now - start - stalls.nanosWithin(start, now)) / 1e9;
          if (seconds > RECOVERY.toMillis() / 1e3) {
            failures.add("no normal service within %d s".formatted(RECOVERY.toSeconds()));
          }
          return seconds;
        }
        Thread.sleep(5);
      }
      failures.add("no normal service after " + PATIENCE.toSeconds() + " s");
      return Double.NaN;
    }

    private void judge(
        Assault assault, Status before, Latencies idle, Latencies during, double seconds)
        throws Exception {
      if (!child.isAlive()) {
        failures.add("the process died");
      }
      String errors = child.errors();
      if (errors.contains("OutOfMemoryError")) {
        failures.add("out of memory");
      } else if (errors.contains("Exception in thread")) {
        failures.add("a thread died: " + errors.lines().findFirst().orElse(""));
      }
      long above = peak - before.heapBytes();
      long free = NOISE + (long) assault.peers().size() * connectionAllowance;
      if (above > free + HEAP_PER_BYTE * assault.bytesSent()) {
        failures.add("%.0f bytes of heap per byte beyond %d connections' own"
            .formatted(
                (above - free) / (double) assault.bytesSent(), assault.peers().size()));
      }
      if (above > (long) heapMegabytes << 19) {
        failures.add("took more than half of the heap");
      }
      double limit = Math.max(10 * idle.millis(0.99), 10);
      boolean quiet = assault.bytesSent() / seconds < QUIET_BYTES_PER_SECOND;
      if (quiet && !(during.millis(0.99) <= limit)) {
        failures.add(SLOW + "99 is above %.0f ms".formatted(limit));
      }
      double median = Math.max(10 * idle.millis(0.5), 10);
      if (!(during.millis(0.5) <= median)) {
        failures.add(SLOW + "50 is above %.0f ms".formatted(median));
      }
      // A server without descriptors may close a connection between two calls, as any idle one.
      boolean mayClose = server.stream().anyMatch(each -> each.startsWith(DESCRIPTORS));
      if (during.failed() > 0 && !mayClose) {
        failures.add(during.failed() + " of the victim's " + during.count() + " calls failed: "
            + during.failure());
      }
      checkLeaks();
    }

    private void checkLeaks() throws InterruptedException {
      Status status = null;
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < end && child.isAlive()) {
        status = Status.of(child);
        if (status != null && status.connections() <= 1 && status.active() <= 1) {
          return;
        }
        Thread.sleep(100);
      }
      failures.add("still there afterwards: " + status);
    }
  }
}
