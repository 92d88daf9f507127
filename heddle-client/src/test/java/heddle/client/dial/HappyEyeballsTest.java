package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.syntax.Host;
import heddle.testkit.SimConnection;
import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which address wins, when each is tried, and what becomes of the others (RFC 8305 §5). */
@Timeout(60)
class HappyEyeballsTest {
  private static final InetSocketAddress A = at("2001:db8::1");
  private static final InetSocketAddress B = at("192.0.2.1");
  private static final InetSocketAddress C = at("2001:db8::2");
  private static final InetSocketAddress D = at("192.0.2.2");

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final SlowNetwork network = new SlowNetwork(world);
  private final HappyEyeballs eyeballs = new HappyEyeballs(network.asNetwork());

  private static InetSocketAddress at(String literal) {
    return new InetSocketAddress(Host.address(literal), 80);
  }

  private void listen(InetSocketAddress... addresses) throws IOException {
    for (InetSocketAddress address : addresses) {
      Network.Listening unused = world.listen(address, 1, channel -> {});
    }
  }

  private void blackHoles(InetSocketAddress... addresses) {
    Arrays.asList(addresses).forEach(world::blackHole);
  }

  private Channel connect(Duration patience, InetSocketAddress... addresses) throws IOException {
    return eyeballs.connect(List.of(addresses), world.after(patience));
  }

  /** Asserts who wins and when, and that nothing else is left. */
  private void assertWins(InetSocketAddress winner, int millis, InetSocketAddress... addresses)
      throws Exception {
    world.run(() -> {
      long begun = world.clock().nanoTime();
      Channel channel = connect(Duration.ofSeconds(5), addresses);
      assertEquals(Duration.ofMillis(millis), Duration.ofNanos(world.clock().nanoTime() - begun));
      assertEquals(winner, channel.remoteAddress());
      assertTrue(channel.isOpen());
      assertNothingIsLeftBut(1);
      channel.close();
    });
  }

  private void assertNothingIsLeftBut(long connections) throws IOException {
    while (network.underWay() > 0
        || world.connections().stream().filter(SimConnection::isClientOpen).count()
            != connections) {
      world.sleep(Duration.ofMillis(1));
    }
  }

  @Test
  void firstAddressThatAnswersAtOnceIsTheOnlyOneTried() throws Exception {
    listen(A, B);
    assertWins(A, 0, A, B);
    assertEquals(List.of("0 " + A), network.begun());
  }

  @Test
  void blackHoleCostsOneAttemptDelay() throws Exception {
    blackHoles(A);
    listen(B);
    assertWins(B, 250, A, B, C);
    assertEquals(List.of("0 " + A, "250 " + B), network.begun());
  }

  @Test
  void refusedAddressIsFollowedAtOnce() throws Exception {
    listen(C);
    assertWins(C, 0, A, B, C);
  }

  @Test
  void refusalBeginsTheNextAttemptAtOnceDespiteABlackHole() throws Exception {
    blackHoles(A);
    listen(C);
    assertWins(C, 250, A, B, C);
    assertEquals(List.of("0 " + A, "250 " + B, "250 " + C), network.begun());
  }

  @Test
  void attemptsAreOneDelayApart() throws Exception {
    blackHoles(A, B, C);
    listen(D);
    assertWins(D, 750, A, B, C, D);
    assertEquals(List.of("0 " + A, "250 " + B, "500 " + C, "750 " + D), network.begun());
  }

  @Test
  void slowAddressLosesToTheNext() throws Exception {
    listen(A, B);
    network.delay(A, Duration.ofMillis(600));
    assertWins(B, 250, A, B);
  }

  @Test
  void slowAddressWinsAgainstTheSlowerNext() throws Exception {
    listen(A, B);
    network.delay(A, Duration.ofMillis(300));
    network.delay(B, Duration.ofMillis(51));
    assertWins(A, 300, A, B);
  }

  @Test
  void ofTwoThatAnswerInTheSameMomentOneIsClosed() throws Exception {
    listen(A, B);
    network.delay(A, Duration.ofMillis(300));
    network.delay(B, Duration.ofMillis(50));
    world.run(() -> {
      Channel channel = connect(Duration.ofSeconds(5), A, B);
      assertTrue(channel.isOpen());
      assertNothingIsLeftBut(1);
    });
  }

  @Test
  void loserThatCannotBeInterruptedIsClosedWhenItConnects() throws Exception {
    listen(A, B);
    network.delay(A, Duration.ofMillis(600));
    network.ignoreInterrupts();
    world.run(() -> {
      Channel channel = connect(Duration.ofSeconds(5), A, B);
      assertEquals(B, channel.remoteAddress());
      world.sleep(Duration.ofSeconds(1));
      assertEquals(2, world.connections().size());
      assertNothingIsLeftBut(1);
    });
  }

  @Test
  void everyAddressIsNamedWhenAllRefuse() throws Exception {
    world.run(() -> {
      NotConnectedException failure =
          assertThrows(NotConnectedException.class, () -> connect(Duration.ofSeconds(5), A, B, C));
      assertTrue(failure.getMessage().startsWith("none of 3 addresses: "), failure.getMessage());
      for (int i = 0; i < 3; i++) {
        String address = List.of(A, B, C).get(i).toString();
        assertTrue(failure.getMessage().contains(address + ": "), failure.getMessage());
        Throwable each = failure.getSuppressed()[i];
        assertTrue(each.getMessage().startsWith(address + ": Connection refused"));
        assertInstanceOf(ConnectException.class, each.getCause());
      }
      assertSame(failure.getSuppressed()[2].getCause(), failure.getCause());
      assertNothingIsLeftBut(0);
    });
  }

  @Test
  void messageOfAHostWithManyAddressesIsBounded() throws Exception {
    InetSocketAddress[] many = new InetSocketAddress[20];
    Arrays.setAll(many, i -> at("192.0.2." + (i + 1)));
    world.run(() -> {
      NotConnectedException failure =
          assertThrows(NotConnectedException.class, () -> connect(Duration.ofSeconds(5), many));
      assertTrue(failure.getMessage().endsWith("; and 12 more"), failure.getMessage());
      assertEquals(20, failure.getSuppressed().length);
    });
  }

  @Test
  void timeThatIsUpNamesWhatDidNotAnswerAndWhatWasNotTried() throws Exception {
    blackHoles(A, C);
    world.run(() -> {
      NotConnectedException failure =
          assertThrows(NotConnectedException.class, () -> connect(Duration.ofMillis(400), A, C, B));
      assertEquals(Duration.ofMillis(400).toNanos(), world.clock().nanoTime());
      assertEquals(
          "none of 3 addresses: %s: no answer in time; %s: no answer in time; %s: not tried: the"
                  .formatted(A, C, B)
              + " time was up",
          failure.getMessage());
      assertTrue(failure.isOutOfTime());
      assertNothingIsLeftBut(0);
    });
  }

  @Test
  void onlyAddressThatDoesNotAnswerIsNamed() throws Exception {
    blackHoles(A);
    world.run(() -> {
      NotConnectedException failure =
          assertThrows(NotConnectedException.class, () -> connect(Duration.ofSeconds(2), A));
      assertEquals(A + ": no answer in time", failure.getMessage());
      assertInstanceOf(DeadlinePassedException.class, failure.getCause());
      assertTrue(failure.isOutOfTime());
    });
  }

  @Test
  void interruptEndsEveryAttempt() throws Exception {
    blackHoles(A, B);
    world.run(() -> {
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      CompletableFuture<Channel> outcome = new CompletableFuture<>();
      Thread caller = world.threadFactory().newThread(() -> {
        try {
          outcome.complete(connect(Duration.ofSeconds(5), A, B));
        } catch (IOException e) {
          outcome.completeExceptionally(e);
        }
        flag.complete(Thread.interrupted());
      });
      caller.start();
      world.sleep(Duration.ofMillis(300));
      assertEquals(2, network.underWay());
      caller.interrupt();
      ExecutionException failed = assertThrows(ExecutionException.class, outcome::get);
      assertInstanceOf(InterruptedIOException.class, failed.getCause());
      assertTrue(flag.get(), "the interrupt flag is kept");
      assertEquals(Duration.ofMillis(300).toNanos(), world.clock().nanoTime());
      assertNothingIsLeftBut(0);
    });
  }

  @Test
  void unexpectedExceptionFailsOneAddressOnly() throws Exception {
    listen(B);
    network.breakDown(A);
    assertWins(B, 0, A, B);
  }

  @Test
  void sameSeedHasTheSameAttemptsAndTheSameWinner() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(raceWithSeed(seed), raceWithSeed(seed), "seed " + seed);
    }
  }

  private String raceWithSeed(long seed) throws Exception {
    try (SimNetwork seeded = SimNetwork.builder()
        .seed(seed)
        .latency(Duration.ofMillis(50), Duration.ofMillis(400))
        .virtualTime()
        .build()) {
      SlowNetwork slow = new SlowNetwork(seeded);
      for (InetSocketAddress address : List.of(B, C, D)) {
        Network.Listening unused = seeded.listen(address, 1, channel -> {});
      }
      seeded.blackHole(A);
      return seeded.call(() -> {
        Channel channel = new HappyEyeballs(slow.asNetwork())
            .connect(List.of(A, B, C, D), seeded.after(Duration.ofSeconds(5)));
        return slow.begun() + " " + channel.remoteAddress() + " "
            + seeded.clock().nanoTime();
      });
    }
  }
}
