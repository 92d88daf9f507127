package heddle.testkit;

import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handshakes that are to cost the other side memory or time. */
@Timeout(60)
class TlsFloodTest {
  private static final byte CLIENT_HELLO = 1;
  private static final byte SERVER_HELLO = 2;
  private static final int LARGEST_RECORD = 16 * 1024;

  /** What the JDK keeps of a handshake that has begun, and both ends of a simulated connection. */
  private static final long MOST_PER_HANDSHAKE = 48 * 1024;

  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  private static ByteBuffer handshakeRecord(int length) {
    return ByteBuffer.allocate(5 + length)
        .put((byte) 22)
        .putShort((short) 0x303)
        .putShort((short) length);
  }

  /** The first record of a message that is announced as 16 MiB. */
  private static ByteBuffer begun(byte type) {
    ByteBuffer begun = handshakeRecord(LARGEST_RECORD).put(type).put((byte) 0xFF);
    begun.putShort((short) 0xFFFF).rewind();
    return begun;
  }

  private static ByteBuffer continued() {
    return handshakeRecord(LARGEST_RECORD).rewind();
  }

  /** Sends a message of 16 MiB; answers how much of it was taken before the channel closed. */
  private long sendGiant(Channel channel, byte type) {
    long sent = 0;
    try {
      channel.write(begun(type), world.soon());
      while (sent < 16 << 20) {
        sent += LARGEST_RECORD;
        channel.write(continued(), world.soon());
      }
    } catch (IOException e) {
      // It is closed, as it should be.
      return sent;
    }
    return sent;
  }

  @Test
  void messageThatIsAnnouncedAs16MebibytesIsRefusedWithItsFirstRecord() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    channel.write(begun(CLIENT_HELLO), world.soon());
    assertInstanceOf(TlsHandshakeException.class, world.serverFailure());
  }

  @Test
  void clientHelloOf16MebibytesIsNotTaken() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    FutureTask<Long> sent = new FutureTask<>(() -> sendGiant(channel, CLIENT_HELLO));
    Thread.ofVirtual().start(sent);
    assertInstanceOf(TlsHandshakeException.class, world.serverFailure());
    assertTrue(sent.get() < 16 << 20, sent::toString);
  }

  @Test
  void giantMessageOfAServerIsRefused() throws Exception {
    world.server = null;
    FutureTask<TlsHandshakeException> refusal =
        new FutureTask<>(() -> assertThrows(TlsHandshakeException.class, world::connect));
    Thread.ofVirtual().start(refusal);
    Channel server = world.acceptedPlain();
    server.start(new RecordingListener());
    FutureTask<Long> sent = new FutureTask<>(() -> sendGiant(server, SERVER_HELLO));
    Thread.ofVirtual().start(sent);
    refusal.get();
    assertTrue(sent.get() < 16 << 20, sent::toString);
  }

  @Test
  void endlessRecordsThatSayNothingEndTheHandshake() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    FutureTask<Void> flood = new FutureTask<>(() -> {
      // A warning of an internal_error, RFC 5246 §7.2, which the JDK passes over.
      ByteBuffer some = ByteBuffer.allocate(7 * 1_000);
      while (some.hasRemaining()) {
        some.put((byte) 21)
            .putShort((short) 0x303)
            .putShort((short) 2)
            .put((byte) 1)
            .put((byte) 80);
      }
      for (int i = 0; i < 1_000; i++) {
        channel.write(some.rewind(), world.soon());
      }
      return null;
    });
    Thread.ofVirtual().start(flood);
    IOException failure = world.serverFailure();
    assertTrue(failure.getMessage().contains("longer than 262144 bytes"), failure.toString());
  }

  /** The server has sent its part and waits for the rest of theirs. */
  @Test
  void peersThatLeaveAHandshakeHalfDoneHoldNoLargeBuffers() throws Exception {
    SimNetwork network = (SimNetwork) world.network;
    leaveHalfDone();
    long before = liveBytes();
    int peers = 200;
    for (int i = 0; i < peers; i++) {
      leaveHalfDone();
    }
    assertTrue(network.connections().stream().allMatch(SimConnection::isServerOpen));
    long each = Long.MAX_VALUE;
    // Garbage of the handshakes may need more than one collection.
    for (int i = 0; i < 20 && each > MOST_PER_HANDSHAKE; i++) {
      each = (liveBytes() - before) / peers;
    }
    assertTrue(each <= MOST_PER_HANDSHAKE, each + " bytes for each handshake");
  }

  private void leaveHalfDone() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    channel.write(clientHello(), world.soon());
    SimConnection connection = ((SimNetwork) world.network).connections().getLast();
    while (connection.written(Direction.TO_CLIENT) == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void writersOfLittleThatWaitForTheirPeersHoldNoLargeBuffers() throws Exception {
    int writers = 100;
    try (TlsWorld slow = new TlsWorld(SimNetwork.builder().sendBuffer(2_000).build())) {
      List<TlsWorld.Pair> pairs = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        pairs.add(slow.pair());
        pairs.getLast().client().pauseReading();
      }
      List<FutureTask<Boolean>> writes = new ArrayList<>();
      long before = liveBytes();
      List<SimConnection> connections = ((SimNetwork) slow.network).connections();
      for (int i = 0; i < writers; i++) {
        TlsWorld.Pair pair = pairs.get(i);
        long written = connections.get(i).written(Direction.TO_CLIENT);
        writes.add(ChannelWorld.onVirtualThread(
            () -> pair.server().write(ByteBuffer.allocate(10_000), slow.soon())));
        while (connections.get(i).written(Direction.TO_CLIENT) == written) {
          Thread.onSpinWait();
        }
      }
      long each = (liveBytes() - before) / writers;
      assertTrue(each < 40 * 1024, each + " bytes for each writer");
      assertTrue(writes.stream().noneMatch(FutureTask::isDone));
    }
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  void serverThatHasNotBegunToReadHoldsLittle() throws Exception {
    SecureChannel client = world.connect();
    world.accepted();
    // The first write is less than the bound, which so allows one read more.
    long read = readOfAFlood(client, 60_000);
    assertTrue(read > 60_000 && read <= 80 * 1024, read + " bytes");
  }

  @Test
  void serverThatPausesInTheMiddleOfAReadHoldsLittle() throws Exception {
    SecureChannel client = world.connect();
    SecureChannel server = world.accepted();
    server.start(ChannelWorld.onBytes(bytes -> server.pauseReading()));
    long read = readOfAFlood(client, 0);
    assertTrue(read > 0 && read <= 64 * 1024, read + " bytes");
  }

  /** How much the server has read of what its peer sends without an end. */
  private long readOfAFlood(SecureChannel client, int firstWrite) throws Exception {
    SimNetwork network = (SimNetwork) world.network;
    SimConnection connection = network.connections().getLast();
    long before = connection.delivered(Direction.TO_SERVER);
    client.write(ByteBuffer.allocate(firstWrite), world.soon());
    ByteBuffer content = ByteBuffer.allocate(2_000_000);
    assertThrows(
        DeadlinePassedException.class,
        () -> client.write(content, network.after(Duration.ofMillis(200))));
    return connection.delivered(Direction.TO_SERVER) - before;
  }

  private static ByteBuffer clientHello() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine(HOST, 443);
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return hello.flip();
  }
}
