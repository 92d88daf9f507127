package heddle.client.dial;

import heddle.client.pool.ConnectionPool;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.names.Resolver;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the hosts of open connections periodically, and drains connections to an address that
 * their host no longer has. Pauses while no open connection could take a further call.
 */
final class AddressWatch implements AutoCloseable {
  /** How often a host is looked up again, unless the last answer is valid for longer. */
  static final Duration INTERVAL = Duration.ofSeconds(30);

  /** How long a lookup may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Resolver resolver;
  private final AddressBook book;
  private final ConnectionPool pool;
  private final Clock clock;
  private final Timer timer;

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether a round is scheduled or running; written under the lock. */
  private volatile boolean awake;

  /** When the last connection was opened. */
  private volatile long dialledAt;

  /** Guarded by the lock: the running round. */
  private @Nullable Thread round;

  /** Guarded by the lock. */
  private boolean closed;

  AddressWatch(Resolver resolver, AddressBook book, ConnectionPool pool, EventLoop loop) {
    this.resolver = resolver;
    this.book = book;
    this.pool = pool;
    this.clock = loop.clock();
    this.timer = loop.newTimer(this::startRound);
  }

  /** Schedules a round, unless there is one; called when a connection was opened. */
  void wake() {
    dialledAt = clock.nanoTime();
    if (awake) {
      return; // When the scheduled or running round ends, it reads what was set above.
    }
    lock.lock();
    try {
      if (!awake && !closed) {
        awake = true;
        scheduleRound();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private void scheduleRound() {
    timer.arm(Deadline.after(INTERVAL, clock).nanos());
  }

  /** On the loop. */
  private void startRound() {
    lock.lock();
    try {
      if (!closed && round == null) {
        round = Thread.ofVirtual().name("heddle-watch").start(this::makeRound);
      }
    } finally {
      lock.unlock();
    }
  }

  private void makeRound() {
    long now = clock.nanoTime();
    PoolSnapshot open = pool.snapshot();
    Set<String> hosts = open.routes().stream()
        .filter(route -> route.open() > 0)
        .flatMap(route -> hosts(route.route()))
        .collect(Collectors.toSet());
    try {
      book.retain(hosts);
      lookUp(hosts);
      pool.drainIf(this::leadsNowhere);
    } catch (InterruptedException e) {
      // Only closing interrupts, and then there is no next round.
    } finally {
      // An older connection takes no further calls, so its address is not checked.
      PoolLimits limits = open.limits();
      double oldest = Deadline.boundedNanos(limits.maxAge()) * (1 + limits.ageJitter());
      endRound(hosts.isEmpty() ? now : now - (long) oldest);
    }
  }

  /**
   * @param since there is another round if a connection was opened since then
   */
  private void endRound(long since) {
    lock.lock();
    try {
      round = null;
      awake = false;
      awake = dialledAt >= since && !closed;
      if (awake) {
        scheduleRound();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Each connection of the route leads to one of these. */
  private static Stream<String> hosts(Route route) {
    return RouteStep.of(route).stream().map(RouteStep::host);
  }

  /** Looks all hosts up at the same time, so that a slow name service does not delay the others. */
  private void lookUp(Set<String> hosts) throws InterruptedException {
    Deadline deadline = Deadline.after(PATIENCE, clock);
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
        Thread.ofVirtual().name("heddle-watch").factory())) {
      threads.invokeAll(hosts.stream()
          .map(host -> Executors.callable(() -> lookUp(host, deadline)))
          .toList());
    }
  }

  private void lookUp(String host, Deadline deadline) {
    try {
      book.answered(host, resolver.lookUp(host, deadline));
    } catch (IOException e) {
      // It does not say that the host moved.
    }
  }

  private boolean leadsNowhere(Route route, SocketAddress address) {
    return address instanceof InetSocketAddress inet
        && inet.getAddress() != null
        && hosts(route).allMatch(host -> book.hasVanished(host, inet.getAddress()));
  }

  /** Ends a running round and starts no more. Idempotent, does not wait. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      awake = false;
      timer.cancel();
      running = round;
    } finally {
      lock.unlock();
    }
    if (running != null) {
      running.interrupt();
    }
  }
}
