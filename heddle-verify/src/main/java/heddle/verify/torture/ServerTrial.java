package heddle.verify.torture;

import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * @param attack what is done
 */
record ServerTrial(String name, String what, ServerSetup setup, Attack attack) implements Trial {
  /** What a process may hold more for itself, such as classes that it has not used before. */
  static final int NOISE = 4 << 20;

  static final int HEAP_PER_BYTE = 16;

  /** Begins the one failure that may be the machine's fault. */
  static final String SLOW = "the victim's p";

  /** Threads that make visits to a site. */
  private static final int VISITORS = 3;

  private static final Duration WARM_UP = Duration.ofMillis(700);
  private static final Duration IDLE = Duration.ofMillis(900);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(800);
  private static final Duration RECOVERY = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /** Above this many bytes a second the victim may notice. */
  private static final double QUIET_BYTES_PER_SECOND = 1e6;

  /** Above it, the attack takes what the machine's two processors and memory can move. */
  private static final double FAST_BYTES_PER_SECOND = 20e6;

  /** What is done to the server. */
  interface Attack {
    void run(Assault assault) throws Exception;
  }

  @Override
  public int seconds() {
    return (int) setup.attackTime().toSeconds() + 3;
  }

  /** The same with an attack that takes so long. */
  ServerTrial lasting(Duration time) {
    return new ServerTrial(name, what, setup.lasting(time), attack);
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
    if (setup.site()) {
      return SiteFolder.use(folder -> run(null, folder, stalls));
    }
    return setup.tls()
        ? TestTls.withIdentity(identity -> run(identity, null, stalls))
        : run(null, null, stalls);
  }

  private Result run(@Nullable Path identity, @Nullable SiteFolder folder, Stalls stalls)
      throws Exception {
    try (Child child = setup.start(identity, folder)) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), child.port());
      Run run = new Run(child, address, stalls);
      if (folder == null) {
        return run.run(null);
      }
      try (SiteVisitors visitors = SiteVisitors.of(child, address, folder)) {
        return run.run(visitors);
      }
    }
  }

  /** The rule for those who call while an attack goes on, of a server or of a client. */
  static List<String> slowness(
      double idleP50, double idleP99, double p50, double p99, double attackBytesPerSecond) {
    List<String> failures = new ArrayList<>();
    double limit = Math.max(10 * idleP99, 10);
    if (attackBytesPerSecond < QUIET_BYTES_PER_SECOND && !(p99 <= limit)) {
      failures.add(SLOW + "99 is %.0f ms, above %.0f ms".formatted(p99, limit));
    }
    double median = Math.max(10 * idleP50, 10);
    if (attackBytesPerSecond < FAST_BYTES_PER_SECOND && !(p50 <= median)) {
      failures.add(SLOW + "50 is %.0f ms, above %.0f ms".formatted(p50, median));
    }
    return failures;
  }

  private final class Run {
    private final Child child;
    private final InetSocketAddress address;
    private final Stalls stalls;
    private final @Nullable SSLSocketFactory tls;
    private final List<String> failures = new ArrayList<>();
    private final ServerWatch watch = new ServerWatch(setup.connectionAllowance());

    Run(Child child, InetSocketAddress address, Stalls stalls) throws GeneralSecurityException {
      this.child = child;
      this.address = address;
      this.stalls = stalls;
      this.tls = setup.tls() ? TestTls.trusting() : null;
    }

    /** @param visitors of a site; null for a server without one */
    Result run(@Nullable SiteVisitors visitors) throws Exception {
      try (Victim victim = new Victim(address, stalls, tls)) {
        warmUp(victim);
        if (visitors != null) {
          visitors.makeAllOnce();
        }
        LeakCheck leaks = LeakCheck.begin(child);
        watch.begin(leaks.before());
        victim.take();
        Thread.sleep(IDLE);
        Latencies idle = victim.take();
        Assault assault = new Assault(address, setup.attackTime(), () -> LeakCheck.status(child));
        Latencies during;
        if (visitors != null) {
          visitors.begin(VISITORS);
        }
        try {
          attack(assault);
          during = victim.take();
        } finally {
          assault.closeAll();
        }
        double recovered = recovery();
        judge(assault, idle, during);
        if (visitors != null) {
          visitors.close();
          failures.addAll(visitors.failures(setup));
          assault.note((assault.note() + "; " + visitors.note()).replaceFirst("^; ", ""));
        }
        if (child.isAlive()) {
          failures.addAll(leaks.failures());
        }
        return new Result(
            name,
            assault.bytesSent(),
            watch.peak(),
            idle.millis(0.5),
            idle.millis(0.99),
            during.millis(0.5),
            during.millis(0.99),
            during.refusedShare(),
            recovered,
            failures,
            assault.note());
      }
    }

    /** The first call of all may take long, over TLS above all. */
    private void warmUp(Victim victim) throws InterruptedException {
      long end = System.nanoTime() + PATIENCE.toNanos();
      Thread.sleep(WARM_UP);
      while (victim.take().count() == 0 && System.nanoTime() < end) {
        Thread.sleep(WARM_UP);
      }
    }

    private void attack(Assault assault) throws InterruptedException {
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        attack.run(assault);
        return true;
      });
      Thread attacker = Thread.ofPlatform().daemon().name("torture-attack").start(task);
      while (!attacker.join(BETWEEN_LOOKS)) {
        look(assault);
        if (!child.isAlive()) {
          attacker.interrupt();
        }
      }
      look(assault);
      failures.addAll(assault.failures());
      if (child.isAlive() && task.state() == FutureTask.State.FAILED) {
        failures.add("the attack broke off: " + task.exceptionNow());
      }
    }

    private void look(Assault assault) throws InterruptedException {
      ServerStatus status = ServerStatus.of(child);
      if (status != null) {
        watch.look(status, assault.bytesSent());
      } else if (child.isAlive()) {
        failures.add("the process did not answer");
      }
    }

    /** Seconds until a new connection is answered as ever. */
    private double recovery() throws InterruptedException {
      long start = System.nanoTime();
      while (System.nanoTime() - start < PATIENCE.toNanos() && child.isAlive()) {
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

    private void judge(Assault assault, Latencies idle, Latencies during) throws Exception {
      if (!child.isAlive()) {
        failures.add(child.end());
      }
      String errors = child.errors();
      if (errors.contains("OutOfMemoryError")) {
        failures.add("out of memory");
      } else if (errors.contains("Exception in thread")) {
        failures.add("a thread died: " + errors.lines().findFirst().orElse(""));
      }
      failures.addAll(watch.failures());
      if (!setup.mayWait()) {
        failures.addAll(slowness(
            idle.millis(0.5),
            idle.millis(0.99),
            during.millis(0.5),
            during.millis(0.99),
            assault.bytesSent() / assault.seconds()));
      }
      // A server without descriptors may close a connection between two calls, as any idle one, and
      // beyond its memory one that it has no room to refuse: such connections it counts.
      long mayFail = setup.mayRefuse() ? watch.dropped() : 0;
      if (during.failed() > mayFail && setup.descriptors() == 0) {
        failures.add(during.failed() + " of the victim's " + during.count() + " calls failed: "
            + during.failure());
      }
      if (during.refused() > 0 && !setup.mayRefuse()) {
        failures.add(
            during.refused() + " of the victim's " + during.count() + " calls were refused");
      }
    }
  }
}
