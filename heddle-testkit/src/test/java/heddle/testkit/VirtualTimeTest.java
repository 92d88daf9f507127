package heddle.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Timer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock moves when nobody has anything to do, and never before. */
@Timeout(60)
final class VirtualTimeTest {
  private static final InetSocketAddress NOWHERE =
      InetSocketAddress.createUnresolved("nowhere.test", 80);
  private static final Duration MINUTE = Duration.ofSeconds(60);

  @AutoClose
  private final SimNetwork network = SimNetwork.builder()
      .seed(11)
      .latency(Duration.ofMillis(10), Duration.ofMillis(10))
      .virtualTime()
      .build();

  private Duration now() {
    return Duration.ofNanos(network.clock().nanoTime());
  }

  @Test
  void deadlineOfAMinutePassesAtItsExactTime() throws Exception {
    network.blackHole(NOWHERE);
    network.run(() -> assertThrows(
        DeadlinePassedException.class, () -> network.connect(NOWHERE, network.after(MINUTE))));
    assertEquals(MINUTE, now());
  }

  @Test
  void roundTripTakesItsLatencyAndNothingMore() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(network, c -> {
      c.expect("ping");
      c.sleep(Duration.ofHours(1).dividedBy(2));
      c.send("pong");
      c.expectEnd();
    })) {
      network.run(() -> {
        try (RawConnection c = RawConnection.connect(network, peer.address())) {
          assertEquals(Duration.ofMillis(20), now());
          c.send("ping");
          c.expect("pong");
          assertEquals(Duration.ofMillis(40).plusMinutes(30), now());
        }
      });
    }
  }

  @Test
  void timeStandsStillBetweenCalls() throws Exception {
    CountDownLatch fired = new CountDownLatch(1);
    Timer timer = network.loop().newTimer(fired::countDown);
    timer.arm(MINUTE.toNanos());
    // Only an event that must not come is waited for here.
    assertTrue(!fired.await(50, TimeUnit.MILLISECONDS));
    assertEquals(Duration.ZERO, now());
    network.run(() -> network.sleep(MINUTE.plusNanos(1)));
    assertTrue(fired.await(20, TimeUnit.SECONDS));
    assertEquals(MINUTE.plusNanos(1), now());
  }

  @Test
  void timeWaitsForAThreadThatComputes() throws Exception {
    network.run(() -> {
      CompletableFuture<Duration> fired = new CompletableFuture<>();
      network.loop().newTimer(() -> fired.complete(now())).arm(1_000);
      long end = System.nanoTime() + 20_000_000;
      while (System.nanoTime() < end) {
        assertEquals(Duration.ZERO, now());
      }
      assertEquals(Duration.ofNanos(1_000), fired.get());
    });
  }

  @Test
  void timeWaitsForVirtualThreadsThatTheWorldDoesNotKnow() throws Exception {
    network.run(() -> {
      CompletableFuture<Duration> before = new CompletableFuture<>();
      network.loop().newTimer(() -> {}).arm(MINUTE.toNanos());
      Thread.ofVirtual().start(() -> {
        long end = System.nanoTime() + 10_000_000;
        while (System.nanoTime() < end) {
          Thread.onSpinWait();
        }
        before.complete(now());
      });
      assertEquals(Duration.ZERO, before.get());
    });
  }

  @Test
  void timeWaitsForThreadsThatItDoesNotKnowHoweverLongTheyTakeSteps() throws Exception {
    network.run(() -> {
      CompletableFuture<Duration> before = new CompletableFuture<>();
      network.loop().newTimer(() -> {}).arm(MINUTE.toNanos());
      Thread.ofVirtual().start(() -> {
        for (int step = 0; step < 12; step++) {
          long end = System.nanoTime() + 50_000_000;
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          network.loop().execute(() -> {});
        }
        before.complete(now());
      });
      assertEquals(Duration.ZERO, before.get());
    });
  }

  @Test
  void sleepersWakeInTheOrderOfTheirTimes() throws Exception {
    List<Integer> order = new ArrayList<>();
    network.run(() -> {
      CountDownLatch all = new CountDownLatch(100);
      for (int i = 0; i < 100; i++) {
        int seconds = (i * 37) % 100;
        network.executor().execute(() -> {
          try {
            network.sleep(Duration.ofSeconds(seconds));
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
          // One sleeper a second: nobody else of the world runs at this time.
          order.add(seconds);
          all.countDown();
        });
      }
      all.await();
    });
    for (int i = 0; i < 100; i++) {
      assertEquals(i, order.get(i));
    }
    assertEquals(Duration.ofSeconds(99), now());
  }

  @Test
  void callHandsOnWhatItsTaskThrows() {
    IllegalStateException thrown = assertThrows(
        IllegalStateException.class,
        () -> network.call(() -> {
          throw new IllegalStateException("as it is");
        }));
    assertEquals("as it is", thrown.getMessage());
  }

  @Test
  void connectingFromOutsideTheWorldIsRefusedWithTheReason() {
    IllegalStateException thrown = assertThrows(
        IllegalStateException.class, () -> network.connect(NOWHERE, network.after(MINUTE)));
    assertTrue(String.valueOf(thrown.getMessage()).contains("run()"));
  }

  @Test
  void thousandRoundTripsOfManyCallersKeepTheirTime() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (ScriptedPeer peer = ScriptedPeer.each(network, c -> {
      while (c.hasMore()) {
        c.expect("ping");
        c.send("pong");
      }
    })) {
      network.run(() -> {
        CountDownLatch all = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
          network
              .threadFactory()
              .newThread(() -> {
                try (RawConnection c = RawConnection.connect(network, peer.address())) {
                  for (int n = 0; n < 20; n++) {
                    c.send("ping");
                    c.expect("pong");
                  }
                  done.incrementAndGet();
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                } finally {
                  all.countDown();
                }
              })
              .start();
        }
        all.await();
      });
    }
    assertEquals(50, done.get());
    assertEquals(Duration.ofMillis(20 + 20 * 20), now());
  }

  @Test
  void writeThatNobodyReadsFailsAtItsDeadline() throws Exception {
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    InetSocketAddress address = InetSocketAddress.createUnresolved("a.test", 80);
    network.listen(address, 1, accepted::complete);
    network.run(() -> {
      Channel channel = network.connect(address, network.after(MINUTE));
      java.nio.ByteBuffer much = java.nio.ByteBuffer.allocate(1_000_000);
      assertThrows(DeadlinePassedException.class, () -> channel.write(much, network.after(MINUTE)));
      assertEquals(256 * 1024, much.position());
    });
    assertEquals(MINUTE.plusMillis(20), now());
  }
}
