package heddle.testkit.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Worlds in which the seed also decides which thread runs when. */
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // the scheduler that is relied on is the world's own
final class DeterministicWorldTest {
  private static final int WORKERS = 8;

  @BeforeEach
  void threadsCanHaveAScheduler() {
    assumeTrue(SimNetwork.canBeDeterministic(), "started without --add-opens");
  }

  private static SimNetwork world(long seed) {
    return SimNetwork.builder().seed(seed).deterministic().build();
  }

  /** What threads that compete for a lock and for time have noted, in order. */
  private static String storyOf(long seed) throws Exception {
    StringBuilder story = new StringBuilder();
    try (SimNetwork world = world(seed)) {
      world.run(() -> {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch done = new CountDownLatch(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
          char name = (char) ('a' + i);
          Thread.ofVirtual().start(() -> {
            for (int step = 0; step < 5; step++) {
              lock.lock();
              try {
                story.append(name);
              } finally {
                lock.unlock();
              }
              Thread.yield();
            }
            done.countDown();
          });
        }
        done.await();
      });
    }
    return story.toString();
  }

  @Test
  void threadsRunInTheOrderThatTheSeedGives() throws Exception {
    for (int i = 0; i < 50; i++) {
      assertEquals(storyOf(7), storyOf(7));
    }
    assertEquals(5 * WORKERS, storyOf(7).length());
    assertNotEquals(storyOf(7), storyOf(8));
  }

  /** One of the threads of a world needs a monitor, which may be held outside for a while. */
  private static long historyWithMonitor(long seed, boolean held) throws Exception {
    Object monitor = new Object();
    AtomicReference<Thread> needsIt = new AtomicReference<>();
    CountDownLatch taken = new CountDownLatch(held ? 1 : 0);
    Thread outside = Thread.ofPlatform().unstarted(() -> {
      synchronized (monitor) {
        taken.countDown();
        while (needsIt.get() == null || needsIt.get().getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
    });
    if (held) {
      outside.start();
      taken.await();
    }
    try (SimNetwork world = world(seed)) {
      world.run(() -> {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          threads.add(Thread.ofVirtual().start(Thread::yield));
        }
        needsIt.set(Thread.currentThread());
        synchronized (monitor) {
          threads.add(Thread.ofVirtual().start(Thread::yield));
        }
        for (Thread each : threads) {
          each.join();
        }
      });
      outside.join();
      return world.history();
    }
  }

  @Test
  void whoIsHeldUpByAMonitorFromOutsideKeepsItsTurn() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(historyWithMonitor(seed, false), historyWithMonitor(seed, true), "seed " + seed);
    }
  }

  private static long historyOf(long seed) throws Exception {
    try (SimNetwork world = SimNetwork.builder()
        .seed(seed)
        .deterministic()
        .latency(Duration.ZERO, Duration.ofMillis(20))
        .maxReadBytes(7)
        .maxWriteBytes(5)
        .build()) {
      world.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(world, c -> {
          while (c.hasMore()) {
            c.expect("ping");
            c.send("a longer pong");
          }
        })) {
          List<Thread> talkers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            talkers.add(Thread.ofVirtual().start(() -> talk(world, peer)));
          }
          for (Thread talker : talkers) {
            talker.join();
          }
        }
      });
      return world.history();
    }
  }

  private static void talk(SimNetwork world, ScriptedPeer peer) {
    try (RawConnection connection = RawConnection.connect(world, peer.address())) {
      for (int i = 0; i < 10; i++) {
        connection.send("ping");
        connection.expect("a longer pong");
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsDeliveredAndWhenFollowsTheSeed() throws Exception {
    long first = historyOf(3);
    for (int i = 0; i < 5; i++) {
      assertEquals(first, historyOf(3));
    }
    assertNotEquals(first, historyOf(4));
  }

  @Test
  void anHourPassesAtOnce() throws Exception {
    try (SimNetwork world = world(1)) {
      world.run(() -> world.sleep(Duration.ofHours(1)));
      assertEquals(Duration.ofHours(1).toNanos(), world.clock().nanoTime());
    }
  }

  @Test
  void timeWaitsForAThreadThatOnlyYields() throws Exception {
    try (SimNetwork world = world(1)) {
      world.run(() -> {
        CountDownLatch noticed = new CountDownLatch(1);
        world.loop().execute(noticed::countDown);
        // A loop runs beside its threads: what is due comes although this one never parks.
        while (noticed.getCount() > 0) {
          Thread.yield();
        }
        assertEquals(0, world.clock().nanoTime());
      });
    }
  }

  @Test
  void threadsThatAreStartedWithinAndNeverEndAreNamed() throws Exception {
    SimNetwork world = world(1);
    CountDownLatch parked = new CountDownLatch(1);
    try (world) {
      world.run(() -> {
        Thread.ofVirtual().name("forgotten").start(() -> {
          parked.countDown();
          LockSupport.park();
        });
        world.loop().execute(() -> Thread.ofVirtual().name("of the loop").start(LockSupport::park));
        parked.await();
        world.sleep(Duration.ofMillis(1));
      });
    }
    List<String> names =
        world.threadsLeft().stream().map(Thread::getName).sorted().toList();
    assertEquals(List.of("forgotten", "of the loop"), names);
    world.threadsLeft().forEach(LockSupport::unpark);
  }

  @Test
  void nothingIsLeftOfThreadsThatHaveEnded() throws Exception {
    SimNetwork world = world(1);
    try (world) {
      world.run(() -> {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
          for (int i = 0; i < 100; i++) {
            executor.execute(Thread::yield);
          }
        }
      });
    }
    assertEquals(List.of(), world.threadsLeft());
  }

  @Test
  void platformThreadsMayWakeThreadsOfTheWorld() throws Exception {
    try (SimNetwork world = world(1)) {
      Boolean woken = world.call(() -> {
        CountDownLatch latch = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(latch::countDown);
        latch.await();
        return Boolean.TRUE;
      });
      assertTrue(woken);
    }
  }

  @Test
  void connectionsToNobodyAreRefused() throws Exception {
    try (SimNetwork world = world(1)) {
      world.run(() -> {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        String message = assertThrows(
                IOException.class, () -> world.connect(nobody, world.after(Duration.ofSeconds(1))))
            .getMessage();
        assertTrue(message.contains("refused"), message);
      });
    }
  }
}
