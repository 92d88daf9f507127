package heddle.testkit;

import static heddle.testkit.ChannelWorld.failureOf;
import static heddle.testkit.ChannelWorld.noise;
import static heddle.testkit.ChannelWorld.onVirtualThread;
import static heddle.testkit.ChannelWorld.text;
import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over a protected connection, and how it ends. */
@Timeout(60)
class TlsStreamTest {
  /** What a record may add to its content: header, type, tag (RFC 8446 §5.2). */
  private static final int RECORD_OVERHEAD = 40;

  private static final int RECORD_CONTENT = 16 * 1024;

  private static TlsWorld world(SimNetwork network) {
    return new TlsWorld(network);
  }

  private static TlsWorld world() {
    return world(SimNetwork.create());
  }

  private static SimConnection last(TlsWorld world) {
    return ((SimNetwork) world.network).connections().getLast();
  }

  // ---- records

  @ParameterizedTest
  @ValueSource(ints = {100, 10_000, 16_384, 100_000})
  void buffersOfOneWriteShareFullRecords(int size) throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      byte[] all = noise(400_000);
      List<ByteBuffer> buffers = new ArrayList<>();
      for (int at = 0; at < all.length; at += size) {
        buffers.add(ByteBuffer.wrap(all, at, Math.min(size, all.length - at)));
      }
      long before = last(world).written(Direction.TO_SERVER);
      pair.client().write(buffers.toArray(ByteBuffer[]::new), world.soon());
      long overhead = last(world).written(Direction.TO_SERVER) - before - all.length;
      pair.atServer().awaitBytes(all.length);
      assertArrayEquals(all, pair.atServer().bytes());
      long records = all.length / RECORD_CONTENT + 1L;
      assertTrue(overhead <= records * RECORD_OVERHEAD, overhead + " for " + records + " records");
    }
  }

  @Test
  void contentOfSeveralRecordsIsHandedOnAtOnce() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      byte[] all = noise(60_000);
      pair.client().write(ByteBuffer.wrap(all), world.soon());
      pair.atServer().awaitBytes(all.length);
      assertEquals(List.of(all.length), pair.atServer().sizes());
    }
  }

  /** Whatever the pieces in which ciphertext is read and written, however often it is paused. */
  @Test
  void contentArrivesWholeThroughAnyPiecesAndPauses() throws Exception {
    for (long seed = 1; seed <= 8; seed++) {
      Random random = new Random(seed);
      SimNetwork network = SimNetwork.builder()
          .seed(seed)
          .maxReadBytes(1 + random.nextInt(random.nextBoolean() ? 100 : 40_000))
          .maxWriteBytes(1 + random.nextInt(40_000))
          .sendBuffer(1_000 + random.nextInt(100_000))
          .build();
      try (TlsWorld world = world(network)) {
        TlsWorld.Pair pair = world.pair();
        byte[] sent = noise(100_000 + random.nextInt(200_000));
        FutureTask<Boolean> up =
            onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(sent), world.soon()));
        FutureTask<Boolean> down =
            onVirtualThread(() -> pair.server().write(ByteBuffer.wrap(sent), world.soon()));
        while (pair.atServer().received() < sent.length) {
          pair.server().pauseReading();
          pair.client().pauseReading();
          pair.client().resumeReading();
          pair.server().resumeReading();
          awaitLoop(pair.client());
        }
        assertTrue(up.get(20, TimeUnit.SECONDS), "seed " + seed);
        assertTrue(down.get(20, TimeUnit.SECONDS), "seed " + seed);
        pair.atClient().awaitBytes(sent.length);
        assertArrayEquals(sent, pair.atServer().bytes(), "seed " + seed);
        assertArrayEquals(sent, pair.atClient().bytes(), "seed " + seed);
      }
    }
  }

  /** Until the loop has done what it was asked: asking faster than that would pile up for ever. */
  private static void awaitLoop(Channel channel) throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    channel.loop().execute(reached::countDown);
    assertTrue(reached.await(20, TimeUnit.SECONDS));
  }

  @Test
  void nextWriteGoesOnWhereOneEndedAtItsDeadline() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      pair.server().pauseReading();
      byte[] sent = noise(2_000_000);
      ByteBuffer content = ByteBuffer.wrap(sent);
      assertThrows(DeadlinePassedException.class, () -> pair.client()
          .write(content, ((SimNetwork) world.network).after(Duration.ofMillis(50))));
      assertTrue(content.hasRemaining());
      pair.server().resumeReading();
      pair.client().write(content, world.soon());
      pair.client().write(text("!"), world.soon());
      pair.atServer().awaitBytes(sent.length + 1);
      assertArrayEquals(sent, Arrays.copyOf(pair.atServer().bytes(), sent.length));
    }
  }

  // ---- the end

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void orderlyCloseIsNoTruncation(String version) throws Exception {
    try (TlsWorld world = world()) {
      world.client = new JsseTls(AUTHORITY.trusting().protocols(version).build());
      TlsWorld.Pair pair = world.pair();
      pair.server().write(text("all of it"), world.soon());
      pair.server().close();
      pair.atClient().awaitEnd();
      pair.client().close();
      assertTrue(pair.atClient().awaitClosed().isEmpty());
      assertTrue(pair.atServer().awaitClosed().isEmpty());
      assertEquals("all of it", pair.atClient().text());
      assertEquals(List.of("bytes", "end", "closed"), pair.atClient().calls());
    }
  }

  /** Cut in each record and between them: what came before is heard, and never an end. */
  @Test
  void cutAnywhereIsTruncated() throws Exception {
    try (TlsWorld world = world()) {
      TlsOptions options = AUTHORITY.trusting().build();
      world.client = new JsseTls(options);
      for (int cut = 0; cut < 3 * 30; cut++) {
        TlsWorld.Pair pair = world.pair();
        SimConnection connection = last(world);
        pair.server().write(text("*"), world.soon());
        pair.atClient().awaitText("*");
        long before = connection.delivered(Direction.TO_CLIENT);
        connection.cutAfterBytes(Direction.TO_CLIENT, before + cut, Cut.END);
        long written = connection.written(Direction.TO_CLIENT);
        pair.server().write(text("more"), world.soon());
        long record = connection.written(Direction.TO_CLIENT) - written;
        pair.server().write(new ByteBuffer[] {text("mo"), text("re")}, world.soon());
        pair.server().write(text("more"), world.soon());
        IOException cause = pair.atClient().awaitClosed().orElseThrow();
        assertInstanceOf(EOFException.class, cause, "cut " + cut);
        assertTrue(cause.getMessage().contains("close_notify"), cause.getMessage());
        assertFalse(pair.atClient().calls().contains("end"), "cut " + cut);
        assertEquals(1 + 4 * (cut / record), pair.atClient().received(), "cut " + cut);
        pair.server().close();
        pair.atServer().awaitClosed();
      }
    }
  }

  @Test
  void resetKeepsItsCause() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      last(world).reset();
      IOException cause = pair.atClient().awaitClosed().orElseThrow();
      assertTrue(cause.getMessage().contains("Connection reset"), cause.getMessage());
      assertThrows(IOException.class, () -> pair.client().write(text("x"), world.soon()));
    }
  }

  @Test
  void forgedRecordClosesTheConnectionWithItsCause() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      byte[] forged = new byte[5 + 40];
      forged[0] = 23;
      forged[1] = 3;
      forged[2] = 3;
      forged[4] = 40;
      pair.belowServer().write(ByteBuffer.wrap(forged), world.soon());
      IOException cause = pair.atClient().awaitClosed().orElseThrow();
      assertTrue(cause.getMessage().contains("TLS with " + HOST), cause.getMessage());
      assertEquals(0, pair.atClient().received());
      // The alert that says so has reached the other side.
      IOException told = pair.atServer().awaitClosed().orElseThrow();
      assertTrue(told.getMessage().contains("bad_record_mac"), told.getMessage());
    }
  }

  @Test
  void plainTextInTheMiddleClosesTheConnection() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      pair.belowServer().write(text("HTTP/1.1 200 OK\r\n\r\n"), world.soon());
      IOException cause = pair.atClient().awaitClosed().orElseThrow();
      assertTrue(cause.getMessage().contains("not TLS"), cause.getMessage());
    }
  }

  @Test
  void writerThatIsStuckIsFreedByShutdownOutput() throws Exception {
    try (TlsWorld world = world()) {
      TlsWorld.Pair pair = world.pair();
      pair.server().pauseReading();
      FutureTask<Boolean> write =
          onVirtualThread(() -> pair.client().write(ByteBuffer.allocate(4_000_000), world.soon()));
      long written = -1;
      while (written != last(world).written(Direction.TO_SERVER)) {
        written = last(world).written(Direction.TO_SERVER);
        assertThrows(TimeoutException.class, () -> write.get(50, TimeUnit.MILLISECONDS));
      }
      pair.client().shutdownOutput();
      assertInstanceOf(ClosedChannelException.class, failureOf(write));
    }
  }

  /** Both sides write and close when they like: each hears of its close once, and no one hangs. */
  @Test
  void closingAtAnyMomentIsHeardOnce() throws Exception {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      SimNetwork network =
          SimNetwork.builder().seed(seed).maxReadBytes(5_000).sendBuffer(20_000).build();
      try (TlsWorld world = world(network)) {
        TlsWorld.Pair pair = world.pair();
        byte[] content = noise(random.nextInt(200_000));
        FutureTask<Boolean> up =
            onVirtualThread(() -> pair.client().write(ByteBuffer.wrap(content), world.soon()));
        FutureTask<Boolean> down =
            onVirtualThread(() -> pair.server().write(ByteBuffer.wrap(content), world.soon()));
        int steps = random.nextInt(2_000);
        for (int i = 0; i < steps; i++) {
          Thread.onSpinWait();
        }
        if (random.nextBoolean()) {
          pair.client().shutdownOutput();
        }
        pair.client().close();
        pair.server().close();
        pair.atClient().awaitClosed();
        pair.atServer().awaitClosed();
        for (FutureTask<Boolean> write : List.of(up, down)) {
          endOf(write, seed);
        }
        for (RecordingListener each : List.of(pair.atClient(), pair.atServer())) {
          List<String> calls = each.calls();
          assertEquals("closed", calls.getLast(), "seed " + seed + ": " + calls);
          assertEquals(1, calls.stream().filter("closed"::equals).count(), "seed " + seed);
        }
      }
    }
  }

  private static void endOf(FutureTask<Boolean> write, long seed) throws Exception {
    try {
      assertTrue(write.get(20, TimeUnit.SECONDS));
    } catch (java.util.concurrent.ExecutionException e) {
      assertInstanceOf(IOException.class, e.getCause(), "seed " + seed);
    }
  }
}
