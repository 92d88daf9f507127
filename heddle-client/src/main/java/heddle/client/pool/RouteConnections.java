package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.http.HttpVersion;
import heddle.transport.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one route: how many there are and may be, and which of them a call gets: one
 * that others share already before one that is idle, and of those the one that was used last, so
 * that those which the load does not need stay idle and expire. Guarded by the route's lock; time
 * is an argument.
 */
final class RouteConnections {
  /** The answer of {@link #oldestIdleSince} where nothing is idle. */
  static final long NONE_IDLE = Long.MAX_VALUE;

  /** What is known of the connections of a route. */
  private enum Sharing {
    /** TLS will tell: one connection is opened to find out. */
    UNKNOWN,
    /** One call at a time uses each, as in HTTP/1.1. */
    EXCLUSIVE,
    /** Calls share them, as in HTTP/2: one is opened at a time, and the others wait for it. */
    SHARED
  }

  /** So long before a shared one is too old its successor is opened, or a tenth of its age. */
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PoolLimits limits;
  private final long maxAgeNanos;
  private final IdleLimit idleLimit;
  private Sharing sharing;

  /** All places of the route, linked through the entries themselves: no node for each. */
  private @Nullable PooledConnection firstTaken;

  /** By the time they became idle. */
  private final ConnectionList idle = new ConnectionList();

  /** Since when the longest idle connection is idle: written under the lock, read by evictions. */
  private final AtomicLong oldestIdleSince = new AtomicLong(NONE_IDLE);

  /** Shared ones that can take more; the first is filled before the next. */
  private final ConnectionList roomy = new ConnectionList();

  /** Connections open or being opened that count to the route's limit: not those that drain. */
  private int counted;

  private int draining;
  private int opening;

  /** Calls that use a connection or open one. */
  private int leases;

  /** How often a connection was opened. */
  private long openings;

  RouteConnections(Route route, PoolLimits limits) {
    this.limits = limits;
    this.maxAgeNanos = Deadline.boundedNanos(limits.maxAge());
    this.idleLimit = new IdleLimit(Deadline.boundedNanos(limits.idleTimeout()));
    this.sharing = presumed(route);
  }

  private static Sharing presumed(Route route) {
    HttpVersion version = route.version();
    if (version != null) {
      return version == HttpVersion.HTTP_2 ? Sharing.SHARED : Sharing.EXCLUSIVE;
    }
    return route.origin().isSecure() ? Sharing.UNKNOWN : Sharing.EXCLUSIVE;
  }

  boolean isEmpty() {
    return counted == 0 && draining == 0;
  }

  /** Whether there is one, open or being opened, that is not given up. */
  boolean takeCalls() {
    return counted > 0;
  }

  /** Whether the route's limits of connections allow another to be opened now. */
  boolean mayGrow() {
    return switch (sharing) {
      case EXCLUSIVE -> counted < limits.maxPerRoute();
      case UNKNOWN -> opening == 0 && counted < limits.maxPerRoute();
      case SHARED -> opening == 0 && counted < limits.maxHttp2PerRoute();
    };
  }

  int open() {
    return counted + draining;
  }

  int draining() {
    return draining;
  }

  int idle() {
    return idle.size();
  }

  /** Calls that use a connection or open one. */
  int inFlight() {
    return leases;
  }

  boolean areShared() {
    return sharing == Sharing.SHARED;
  }

  /** All of them, open or being opened. */
  List<PooledConnection> all() {
    List<PooledConnection> all = new ArrayList<>(open());
    for (PooledConnection entry = firstTaken; entry != null; entry = entry.nextTaken) {
      all.add(entry);
    }
    return all;
  }

  // ---- from being opened to being given up

  /** A connection is about to be opened by a call. */
  void add(PooledConnection entry) {
    entry.nextTaken = firstTaken;
    if (firstTaken != null) {
      firstTaken.previousTaken = entry;
    }
    firstTaken = entry;
    counted++;
    opening++;
    leases++;
  }

  /** It is open: what the others can expect is known now. */
  void opened(PooledConnection entry, Connection connection, long now) {
    opening--;
    entry.connection = connection;
    long age = age(now);
    entry.agedAt = now + age;
    entry.state = State.BUSY;
    if (connection.isMultiplexed()) {
      refresh(entry);
    } else {
      sharing = Sharing.EXCLUSIVE;
    }
  }

  /** It is shared, from the beginning or because it was upgraded. */
  private void shared(PooledConnection entry) {
    entry.multiplexed = true;
    entry.renewAt = entry.agedAt - Math.min(RENEWAL_NANOS, maxAgeNanos / 10);
    sharing = Sharing.SHARED;
  }

  /**
   * How long a connection may live that is opened now. What spreads the ages is the moment itself,
   * its bits well mixed: it differs between connections and processes, and a simulation repeats it.
   */
  private long age(long now) {
    double spread = new SplittableRandom(now ^ ++openings).nextDouble(-1, 1);
    return (long) (maxAgeNanos * (1 + limits.ageJitter() * spread));
  }

  /** Asks a shared connection how many calls it takes now. */
  void refresh(PooledConnection entry) {
    Connection connection = entry.connection;
    if (connection == null) {
      return;
    }
    if (!entry.multiplexed && connection.isMultiplexed()) {
      shared(entry);
    }
    entry.capacity = Math.min(connection.maxExchanges(), limits.maxStreamsPerConnection());
    if (entry.state == State.DRAINING || !connection.isOpen()) {
      drain(entry);
    } else if (entry.leases > 0) {
      fileInUse(entry);
    }
  }

  /** A connection that takes another call, which is counted; null when there is none. */
  @Nullable
  PooledConnection lease(long now) {
    PooledConnection entry = roomy.oldest();
    while (entry != null && now >= entry.agedAt) {
      drain(entry); // It may be long until one of its own calls ends and finds that out.
      entry = roomy.oldest();
    }
    if (entry == null) {
      entry = newestUsableIdle(now);
      if (entry == null) {
        return null;
      }
    }
    use(entry);
    return entry;
  }

  /** As {@link #lease(long)}, of this very connection; false if it takes no other call now. */
  boolean lease(PooledConnection entry, long now) {
    boolean takes =
        switch (entry.state) {
          case IDLE -> entry.capacity > 0 && isFresh(entry, now);
          case ROOMY -> now < entry.agedAt;
          case OPENING, BUSY, DRAINING, GONE -> false;
        };
    if (takes) {
      use(entry);
    }
    return takes;
  }

  private void use(PooledConnection entry) {
    entry.leases++;
    leases++;
    fileInUse(entry);
  }

  /**
   * A shared one is idle and yet of no use while its peer allows no exchanges. One that is closed,
   * which its loop has told without our asking, or over its time is about to be taken out.
   */
  private @Nullable PooledConnection newestUsableIdle(long now) {
    PooledConnection entry = idle.newest();
    while (entry != null && (entry.capacity == 0 || !isFresh(entry, now))) {
      entry = entry.older;
    }
    return entry;
  }

  private boolean isFresh(PooledConnection entry, long now) {
    Connection connection = entry.connection;
    return connection != null && connection.isOpen() && now < endOfIdle(entry, now);
  }

  private void fileInUse(PooledConnection entry) {
    State next = entry.leases < entry.capacity ? State.ROOMY : State.BUSY;
    if (next != entry.state) {
      unfile(entry);
      entry.state = next;
      if (next == State.ROOMY) {
        roomy.add(entry);
      }
    }
  }

  /** Whether a connection takes further calls, as far as its pool knows. */
  boolean mayServeOthers(PooledConnection entry, long now) {
    if (entry.multiplexed && entry.state != State.GONE) {
      refresh(entry);
    }
    return switch (entry.state) {
      case OPENING, IDLE, ROOMY, BUSY -> now < entry.agedAt;
      case DRAINING, GONE -> false;
    };
  }

  /** One call less uses a connection that others may use from now on. */
  void giveBack(PooledConnection entry, long now) {
    entry.leases--;
    leases--;
    if (entry.leases > 0) {
      fileInUse(entry);
    } else {
      unfile(entry);
      entry.state = State.IDLE;
      entry.idleSince = now;
      idle.add(entry);
      noteOldestIdle();
    }
  }

  /** One call less uses a connection that no further call is to use, and others still do. */
  void giveUpOne(PooledConnection entry) {
    entry.leases--;
    leases--;
    drain(entry);
  }

  /** No further call is to use a connection. */
  void drain(PooledConnection entry) {
    if (entry.state != State.DRAINING) {
      unfile(entry);
      entry.state = State.DRAINING;
      counted--;
      draining++;
    }
  }

  /** Forgets a connection, and the calls that still use it. */
  void remove(PooledConnection entry) {
    switch (entry.state) {
      case DRAINING -> draining--;
      case OPENING -> {
        opening--;
        counted--;
      }
      case IDLE, ROOMY, BUSY -> counted--;
      case GONE -> throw new IllegalStateException("a place of a route is freed twice");
    }
    unfile(entry);
    unlink(entry);
    entry.state = State.GONE;
    leases -= entry.leases;
  }

  private void unfile(PooledConnection entry) {
    switch (entry.state) {
      case IDLE -> {
        idle.remove(entry);
        noteOldestIdle();
      }
      case ROOMY -> roomy.remove(entry);
      case OPENING, BUSY, DRAINING, GONE -> {}
    }
  }

  private void unlink(PooledConnection entry) {
    PooledConnection next = entry.nextTaken;
    PooledConnection previous = entry.previousTaken;
    if (next != null) {
      next.previousTaken = previous;
    }
    if (previous != null) {
      previous.nextTaken = next;
    } else {
      firstTaken = next;
    }
  }

  // ---- what is idle

  /** From any thread: since when the longest idle connection is idle, or {@link #NONE_IDLE}. */
  long oldestIdleSince() {
    return oldestIdleSince.getAcquire();
  }

  /** Giving the lock back orders it before whatever the thread looks at next. */
  private void noteOldestIdle() {
    PooledConnection oldest = idle.oldest();
    oldestIdleSince.setRelease(oldest == null ? NONE_IDLE : oldest.idleSince);
  }

  @Nullable
  PooledConnection oldestIdle() {
    return idle.oldest();
  }

  @Nullable
  PooledConnection newestIdle() {
    return idle.newest();
  }

  /** How long a connection may be idle at most. */
  long idleNanos(long now) {
    return idleLimit.nanos(now);
  }

  /** A connection was found closed after it had been idle; true if others have to go earlier. */
  boolean learnIdle(long idleNanos, long now) {
    return idleLimit.learn(idleNanos, now);
  }

  /** When a connection that is idle must be given up. */
  long endOfIdle(PooledConnection entry, long now) {
    long most = Math.min(idleLimit.nanos(now), entry.idleHint());
    return Math.min(entry.agedAt, entry.idleSince + most);
  }
}
