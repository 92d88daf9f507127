package heddle.testkit.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.http.syntax.Host;
import heddle.testkit.Faults;
import heddle.testkit.Faults.Mishap;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.testkit.SimWorld;
import heddle.transport.DeadlinePassedException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a world one seed decides which mishap befalls whom. */
@Timeout(60)
final class SimWorldTest {
  private static final InetAddress ONE = Host.address("127.0.0.1");
  private static final InetAddress TWO = Host.address("127.0.0.2");

  private static SimWorld always(Mishap mishap) {
    return SimWorld.of(
        1,
        Faults.builder()
            .chance(mishap, 1)
            .within(10)
            .maxPause(Duration.ofSeconds(5))
            .build());
  }

  /** What a test does with a connection to an echo. */
  @FunctionalInterface
  private interface Visit {
    void on(RawConnection connection) throws Exception;
  }

  private static void echo(RawConnection connection) {
    try {
      while (connection.hasMore()) {
        connection.send(connection.expectBytes(1));
      }
    } catch (IOException | AssertionError e) {
      // The connection has had its mishap.
    }
  }

  private static void withMishap(Mishap mishap, Visit visit) throws Exception {
    try (SimWorld world = always(mishap)) {
      world.run(() -> {
        try (ScriptedPeer echo = ScriptedPeer.each(world.network(), SimWorldTest::echo);
            RawConnection connection = RawConnection.connect(world.network(), echo.address())) {
          visit.on(connection);
        }
      });
      assertTrue(world.happened().get(mishap) >= 1);
    }
  }

  @Test
  void noLeapFollowsAnotherAtOnce() throws Exception {
    try (SimWorld world = always(Mishap.LEAP)) {
      world.run(() -> {
        boolean hasLeapt = false;
        for (int i = 0; i < 10_000; i++) {
          long before = world.network().clock().nanoTime();
          world.network().sleep(Duration.ofMillis(1));
          boolean leaps = world.network().clock().nanoTime() - before > 1_000_000;
          assertFalse(hasLeapt && leaps, "two leaps in a row");
          hasLeapt = leaps;
        }
      });
      assertTrue(world.happened().get(Mishap.LEAP) >= 5);
    }
  }

  @Test
  void attemptsToConnectToOnePortAreAnsweredInTheSameMoment() throws Exception {
    Faults faults = Faults.builder()
        .latency(Duration.ZERO, Duration.ofMillis(20))
        .chance(Mishap.TIE, 1)
        .maxPause(Duration.ofSeconds(5))
        .build();
    for (long seed = 0; seed < 20; seed++) {
      try (SimWorld world = SimWorld.of(seed, faults)) {
        SimNetwork network = world.network();
        Set<Long> answered = new HashSet<>();
        world.run(() -> {
          network.listen(new InetSocketAddress(ONE, 80), 10, channel -> {});
          network.listen(new InetSocketAddress(TWO, 80), 10, channel -> {});
          Thread other = network.threadFactory().newThread(() -> {
            try {
              network.connect(new InetSocketAddress(ONE, 80), Deadline.never());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            answered.add(network.clock().nanoTime());
          });
          other.start();
          network.connect(new InetSocketAddress(TWO, 80), Deadline.never());
          long at = network.clock().nanoTime();
          other.join();
          answered.add(at);
        });
        assertEquals(1, answered.size(), () -> "seed " + world.seed() + ": " + answered);
      }
    }
  }

  @Test
  void connectionsAreCutOrResetAtSomeByte() throws Exception {
    for (Mishap mishap : List.of(Mishap.CUT, Mishap.RESET)) {
      withMishap(
          mishap,
          c -> assertThrows(AssertionError.class, () -> {
            c.send("0123456789abcdef");
            c.expect("0123456789abcdef");
          }));
    }
  }

  @Test
  void silenceIsNotTold() throws Exception {
    withMishap(Mishap.SILENCE, c -> {
      c.patience(Duration.ofMinutes(5)).send("0123456789abcdef");
      AssertionError failure =
          assertThrows(AssertionError.class, () -> c.expect("0123456789abcdef"));
      assertTrue(String.valueOf(failure.getMessage()).contains("the connection is open"));
    });
  }

  @Test
  void pausesAndSlowPeersOnlyTakeTime() throws Exception {
    for (Mishap mishap : List.of(Mishap.PAUSE, Mishap.SLOW)) {
      withMishap(mishap, c -> {
        long before = c.channel().loop().clock().nanoTime();
        c.send("0123456789abcdef");
        c.expect("0123456789abcdef");
        assertTrue(c.channel().loop().clock().nanoTime() > before, mishap::toString);
      });
    }
  }

  @Test
  void attemptsAreRefusedLateOrNeverAnswered() throws Exception {
    withMishap(Mishap.LATE, c -> assertTrue(c.channel().loop().clock().nanoTime() > 0));
    assertThrows(ConnectException.class, () -> withMishap(Mishap.REFUSE, c -> {}));
    try (SimWorld world = always(Mishap.BLACK_HOLE)) {
      world.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(world.network(), c -> {})) {
          assertThrows(DeadlinePassedException.class, () -> world
              .network()
              .connect(peer.address(), world.network().after(Duration.ofHours(1))));
        }
      });
    }
  }

  @Test
  void namesFailMoveOrTakeLong() throws Exception {
    try (SimWorld world = always(Mishap.NO_NAME)) {
      world.name("a.test", ONE);
      assertThrows(UnknownHostException.class, () -> resolve(world));
    }
    try (SimWorld world = always(Mishap.MOVED_NAME)) {
      world.name("a.test", ONE, TWO);
      Set<List<InetAddress>> answers = new HashSet<>();
      for (int i = 0; i < 50; i++) {
        answers.add(resolve(world));
      }
      assertEquals(
          Set.of(List.of(ONE), List.of(TWO), List.of(ONE, TWO), List.of(TWO, ONE)), answers);
    }
    try (SimWorld world = always(Mishap.SLOW_NAME)) {
      world.name("a.test", ONE);
      assertEquals(List.of(ONE), resolve(world));
      assertTrue(world.network().clock().nanoTime() > 0);
    }
  }

  private static List<InetAddress> resolve(SimWorld world) throws Exception {
    return world
        .network()
        .call(() -> world.resolver().resolve("a.test", world.network().after(Duration.ofHours(1))));
  }

  @Test
  void clockLeapsAndTheTimeOfDayJumps() throws Exception {
    try (SimWorld world = always(Mishap.LEAP)) {
      world.run(() -> world.network().sleep(Duration.ofMinutes(10)));
      Duration passed = Duration.ofNanos(world.network().clock().nanoTime());
      assertTrue(passed.compareTo(Duration.ofMinutes(10)) > 0, passed::toString);
      assertNotEquals(passed.toMillis(), world.timeOfDay().millis());
    }
  }

  @Test
  void whatIsDrawnFollowsFromTheSeed() throws Exception {
    assumeTrue(SimNetwork.canBeDeterministic(), "started without --add-opens");
    Set<Long> histories = new HashSet<>();
    for (long seed = 0; seed < 10; seed++) {
      long once = history(seed);
      assertEquals(once, history(seed), "seed " + seed);
      histories.add(once);
    }
    assertEquals(10, histories.size());
  }

  private static long history(long seed) throws Exception {
    try (SimWorld world = SimWorld.of(seed, Faults.drawn(new Random(seed)))) {
      world.run(() -> {
        try (ScriptedPeer echo = ScriptedPeer.each(world.network(), SimWorldTest::echo)) {
          for (int i = 0; i < 20; i++) {
            talk(world, echo);
          }
        }
      });
      return world.network().history();
    }
  }

  private static void talk(SimWorld world, ScriptedPeer echo) throws InterruptedException {
    Thread talker = Thread.ofVirtual().start(() -> {
      try (RawConnection connection = RawConnection.connect(world.network(), echo.address())) {
        connection.patience(Duration.ofSeconds(10)).send("x".repeat(100));
        connection.expect("x".repeat(100));
      } catch (IOException | AssertionError e) {
        // As the seed has it.
      }
    });
    talker.join();
  }
}
