package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.http.HttpVersion;
import heddle.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one route: how many there are and may be, and which of them a call gets. A
 * connection that calls share already comes before an idle one, and among idle ones the most
 * recently used comes first, so that connections which the load does not need expire. Guarded by
 * the route's lock; time is an argument.
 */
final class RouteConnections {
  /** The result of {@link #oldestIdleSince} if no connection is idle. */
  static final long NONE_IDLE = Long.MAX_VALUE;

  /** What is known of the connections of a route. */
  private enum Sharing {
    /** TLS will negotiate it: one connection is opened to find out. */
    UNKNOWN,
    /** One call at a time uses each, as in HTTP/1.1. */
    EXCLUSIVE,
    /** Calls share them, as in HTTP/2: one is opened at a time, and the others wait for it. */
    SHARED
  }

  /** A shared connection's successor is opened this long, or a tenth of the age, before its end. */
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PoolLimits limits;
  private final long maxAgeNanos;
  private Sharing sharing;

  /** How long a connection may be idle at most. */
  final IdleLimit idleLimit;

  /** All connections of the route; each knows its index. */
  private final List<PooledConnection> all = new ArrayList<>();

  /** Ordered by the time when they became idle. */
  final IntrusiveList<PooledConnection> idle = new IntrusiveList<>();

  /** Written under the lock, read by evictions without. */
  private final AtomicLong oldestIdleSince = new AtomicLong(NONE_IDLE);

  /** Shared connections with room for more calls; the first is filled before the next. */
  private final IntrusiveList<PooledConnection> roomy = new IntrusiveList<>();

  /** Until then the origin's word holds that it speaks HTTP/2. */
  private long http2Until = Long.MIN_VALUE;

  private int draining;
  private int opening;

  /** Calls that use a connection or open one. */
  private int leases;

  private long openings;

  RouteConnections(Route route, PoolLimits limits) {
    this.limits = limits;
    this.maxAgeNanos = Deadline.boundedNanos(limits.maxAge());
    this.idleLimit = new IdleLimit(Deadline.boundedNanos(limits.idleTimeout()));
    this.sharing = presumed(route);
  }

  private static Sharing presumed(Route route) {
    if (route.version() == null && route.origin().isSecure()) {
      return Sharing.UNKNOWN;
    }
    return route.version() == HttpVersion.HTTP_2 ? Sharing.SHARED : Sharing.EXCLUSIVE;
  }

  /** Whether the route's limits allow another connection to be opened now. */
  boolean mayGrow() {
    return switch (sharing) {
      case EXCLUSIVE -> counted() < limits.maxPerRoute();
      case UNKNOWN -> opening == 0 && counted() < limits.maxPerRoute();
      case SHARED -> opening == 0 && counted() < limits.maxHttp2PerRoute();
    };
  }

  /** Connections, open or being opened, that count against the route's limit and take calls. */
  int counted() {
    return all.size() - draining;
  }

  int open() {
    return all.size();
  }

  int draining() {
    return draining;
  }

  /** Calls that use a connection or open one. */
  int inFlight() {
    return leases;
  }

  boolean areShared() {
    return sharing == Sharing.SHARED;
  }

  /** A copy of the list. */
  List<PooledConnection> all() {
    return List.copyOf(all);
  }

  // ---- from being opened to being given up

  /** A connection is about to be opened by a call. */
  void add(PooledConnection entry) {
    entry.index = all.size();
    all.add(entry);
    opening++;
    leases++;
  }

  /** Until a connection has negotiated the version, calls do not wait for one to share. */
  void expectHttp11(long now) {
    if (sharing == Sharing.UNKNOWN && now >= http2Until) {
      sharing = Sharing.EXCLUSIVE;
    }
  }

  /**
   * An origin says over HTTP/1.1 that it speaks HTTP/2 (RFC 7838 §3): the next connection finds
   * out. Once for as long as it says so, or an origin that is wrong would slow down each opening.
   */
  void expectHttp2(long until, long now) {
    if (sharing == Sharing.EXCLUSIVE && now >= http2Until && now < until) {
      sharing = Sharing.UNKNOWN;
    }
    http2Until = until;
  }

  /** A connection is open: from now on the route knows whether calls share its connections. */
  void opened(PooledConnection entry, Connection connection, long now) {
    opening--;
    entry.connection = connection;
    entry.agedAt = now + age(now);
    entry.state = State.BUSY;
    if (connection.isMultiplexed()) {
      refresh(entry);
    } else {
      sharing = Sharing.EXCLUSIVE;
    }
  }

  /**
   * How long a connection that is opened now may live. The jitter is derived from the current time:
   * it differs between connections and processes, and is the same when a simulation is repeated.
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
      // It is shared from the beginning, or because it was upgraded.
      entry.multiplexed = true;
      entry.renewAt = entry.agedAt - Math.min(RENEWAL_NANOS, maxAgeNanos / 10);
      sharing = Sharing.SHARED;
    }
    entry.capacity = Math.min(connection.maxExchanges(), limits.maxStreamsPerConnection());
    if (entry.state == State.DRAINING || !connection.isOpen()) {
      drain(entry);
    } else if (entry.leases > 0) {
      fileInUse(entry);
    }
  }

  /** Leases a connection that has room for another call; null if there is none. */
  @Nullable
  PooledConnection lease(long now) {
    PooledConnection entry = roomy.first();
    while (entry != null && now >= entry.agedAt) {
      drain(entry); // It may be long until one of its calls ends and notices its age.
      entry = roomy.first();
    }
    if (entry == null) {
      entry = newestUsableIdle(now);
    }
    if (entry != null) {
      use(entry);
    }
    return entry;
  }

  /** As {@link #lease(long)}, for a given connection; false if it takes no other call now. */
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
   * The most recently used idle connection that can be leased. A shared one cannot as long as its
   * peer allows no exchanges; one that is closed, as its loop noticed, or idle for too long is
   * about to be removed.
   */
  private @Nullable PooledConnection newestUsableIdle(long now) {
    PooledConnection entry = idle.last();
    while (entry != null && (entry.capacity == 0 || !isFresh(entry, now))) {
      entry = entry.previous;
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

  /** A call no longer uses a connection, which other calls may use. */
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

  /** As {@link #giveBack}, but no further call may use the connection. */
  void giveUpOne(PooledConnection entry) {
    entry.leases--;
    leases--;
    drain(entry);
  }

  /** Lets no further call use a connection. */
  void drain(PooledConnection entry) {
    if (entry.state != State.DRAINING) {
      unfile(entry);
      entry.state = State.DRAINING;
      draining++;
    }
  }

  /** Removes a connection, and the calls that still use it. */
  void remove(PooledConnection entry) {
    switch (entry.state) {
      case DRAINING -> draining--;
      case OPENING -> opening--;
      case IDLE, ROOMY, BUSY -> {}
      case GONE -> throw new IllegalStateException("a place of a route is freed twice");
    }
    unfile(entry);
    PooledConnection last = all.removeLast();
    if (last != entry) {
      all.set(entry.index, last);
      last.index = entry.index;
    }
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

  /** From any thread: when the longest idle connection became idle, or {@link #NONE_IDLE}. */
  long oldestIdleSince() {
    return oldestIdleSince.getAcquire();
  }

  /** Releasing the lock orders this write before the thread's next reads. */
  private void noteOldestIdle() {
    PooledConnection oldest = idle.first();
    oldestIdleSince.setRelease(oldest == null ? NONE_IDLE : oldest.idleSince);
  }

  /** When a connection that is idle must be given up. */
  long endOfIdle(PooledConnection entry, long now) {
    long most = Math.min(idleLimit.nanos(now), entry.idleHint());
    return Math.min(entry.agedAt, entry.idleSince + most);
  }
}
