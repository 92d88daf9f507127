package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What can befall a connection, and what the simulation punishes. */
@Timeout(60)
final class SimFaultsTest {
  private static final InetSocketAddress ADDRESS =
      InetSocketAddress.createUnresolved("server.test", 80);
  private static final Duration SOON = Duration.ofSeconds(20);

  @AutoClose
  private final SimNetwork network = SimNetwork.builder()
      .seed(5)
      .maxReadBytes(64)
      .maxWriteBytes(1_000)
      .sendBuffer(4_096)
      .build();

  private final LinkedBlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private final RecordingListener atServer = new RecordingListener();
  private final RecordingListener atClient = new RecordingListener();

  @BeforeEach
  void listen() throws IOException {
    network.listen(ADDRESS, 1, accepted::add);
  }

  private Channel connect() throws Exception {
    Channel client = network.connect(ADDRESS, network.after(SOON));
    client.start(atClient);
    return client;
  }

  private Channel accept() throws Exception {
    Channel server = accepted.take();
    server.start(atServer);
    return server;
  }

  private void write(Channel channel, byte[] bytes) throws IOException {
    channel.write(ByteBuffer.wrap(bytes), network.after(SOON));
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void resetComesAfterExactlySoManyBytes() throws Exception {
    network.onConnection(c -> c.cutAfterBytes(Direction.TO_SERVER, 1_234, Cut.RESET));
    Channel client = connect();
    accept();
    byte[] sent = noise(50_000);
    IOException failure = assertThrows(IOException.class, () -> write(client, sent));
    assertEquals("Connection reset", failure.getMessage());
    assertEquals("Connection reset", atServer.awaitClosed().orElseThrow().getMessage());
    assertEquals("Connection reset", atClient.awaitClosed().orElseThrow().getMessage());
    assertArrayEquals(java.util.Arrays.copyOf(sent, 1_234), atServer.bytes());
    assertFalse(client.isOpen());
  }

  @Test
  void endComesAfterExactlySoManyBytesAndTheWriterNoticesNothing() throws Exception {
    network.onConnection(c -> c.cutAfterBytes(Direction.TO_SERVER, 1_234, Cut.END));
    Channel client = connect();
    Channel server = accept();
    byte[] sent = noise(50_000);
    write(client, sent);
    atServer.awaitEnd();
    assertArrayEquals(java.util.Arrays.copyOf(sent, 1_234), atServer.bytes());
    write(server, "back".getBytes(ISO_8859_1));
    atClient.awaitText("back");
    assertTrue(client.isOpen());
  }

  @Test
  void connectionIsCutNow() throws Exception {
    Channel client = connect();
    accept();
    write(client, noise(100));
    atServer.awaitBytes(100);
    SimConnection connection = network.connections().getFirst();
    assertEquals(100, connection.delivered(Direction.TO_SERVER));
    connection.cut(Direction.TO_SERVER, Cut.RESET);
    assertTrue(atServer.awaitClosed().isPresent());
    assertTrue(atClient.awaitClosed().isPresent());
    assertFalse(connection.isOpen());
  }

  @Test
  void stalledDirectionHoldsBytesAndEndBackUntilItFlows() throws Exception {
    Channel client = connect();
    Channel server = accept();
    SimConnection connection = network.connections().getFirst();
    connection.stall(Direction.TO_SERVER);
    write(client, "held".getBytes(ISO_8859_1));
    client.shutdownOutput();
    write(server, "free".getBytes(ISO_8859_1));
    atClient.awaitText("free");
    assertEquals(List.of(), atServer.calls());
    assertEquals(4, connection.written(Direction.TO_SERVER));
    connection.unstall(Direction.TO_SERVER);
    atServer.awaitEnd();
    assertEquals("held", atServer.text());
  }

  @Test
  void closeWithBytesUnreadResetsThePeer() throws Exception {
    Channel client = connect();
    Channel server = accept();
    server.pauseReading();
    write(client, noise(10));
    server.close();
    assertEquals("Connection reset", atClient.awaitClosed().orElseThrow().getMessage());
  }

  @Test
  void bytesForAClosedChannelResetTheirSender() throws Exception {
    Channel client = connect();
    accept().close();
    atClient.awaitEnd();
    write(client, noise(10));
    assertEquals("Connection reset", atClient.awaitClosed().orElseThrow().getMessage());
    assertThrows(IOException.class, () -> write(client, noise(10)));
  }

  @Test
  void readsComeInPiecesOfManySizes() throws Exception {
    Channel client = connect();
    accept();
    byte[] sent = noise(20_000);
    write(client, sent);
    atServer.awaitBytes(sent.length);
    assertArrayEquals(sent, atServer.bytes());
    Set<Integer> sizes = new HashSet<>(atServer.sizes());
    assertTrue(sizes.size() > 30, sizes.toString());
    assertTrue(sizes.stream().allMatch(size -> size >= 1 && size <= 64), sizes.toString());
  }

  @Test
  void sameSeedCutsTheSamePieces() throws Exception {
    assertEquals(piecesWithSeed(1), piecesWithSeed(1));
    assertFalse(piecesWithSeed(1).equals(piecesWithSeed(2)));
  }

  private static List<Integer> piecesWithSeed(long seed) throws Exception {
    try (SimNetwork network = SimNetwork.builder().seed(seed).maxReadBytes(50).build()) {
      RecordingListener heard = new RecordingListener();
      network.listen(ADDRESS, 1, channel -> channel.start(heard));
      network
          .connect(ADDRESS, network.after(SOON))
          .write(ByteBuffer.allocate(1_000), network.after(SOON));
      heard.awaitBytes(1_000);
      return heard.sizes();
    }
  }

  @Test
  void addressCanRefuseAndBeRestored() throws Exception {
    network.refuse(ADDRESS);
    assertThrows(ConnectException.class, this::connect);
    network.restore(ADDRESS);
    assertTrue(connect().isOpen());
  }

  @Test
  void wildcardAddressAcceptsForItsPort() throws Exception {
    network.listen(new InetSocketAddress(8080), 1, accepted::add);
    Channel client = network.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080), network.after(SOON));
    assertEquals(client.localAddress(), accepted.take().remoteAddress());
  }

  @Test
  void bufferThatAListenerKeepsIsSpoiled() throws Exception {
    CompletableFuture<ByteBuffer> kept = new CompletableFuture<>();
    Channel client = connect();
    accepted.take().start(new ChannelListener() {
      @Override
      public void onBytes(ByteBuffer bytes) {
        kept.complete(bytes);
      }

      @Override
      public void onEnd() {}

      @Override
      public void onClosed(@Nullable IOException cause) {}
    });
    write(client, new byte[] {1});
    ByteBuffer buffer = kept.get(20, TimeUnit.SECONDS);
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    network.loop().execute(() -> later.complete(true));
    assertTrue(later.get(20, TimeUnit.SECONDS));
    assertEquals((byte) 0xDB, buffer.get(0));
    assertTrue(buffer.arrayOffset() > 0);
  }

  @Test
  void writeOnTheLoopIsRefused() throws Exception {
    Channel client = connect();
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    network.loop().execute(() -> {
      try {
        write(client, new byte[1]);
        failure.complete(new AssertionError("the write was taken"));
      } catch (IOException | RuntimeException e) {
        failure.complete(e);
      }
    });
    assertInstanceOf(IllegalStateException.class, failure.get(20, TimeUnit.SECONDS));
  }

  @Test
  void secondStartIsRefused() throws Exception {
    Channel client = connect();
    assertThrows(IllegalStateException.class, () -> client.start(atServer));
  }

  @Test
  void taskThatThrowsFailsTheCloseOfTheNetwork() {
    SimNetwork other = SimNetwork.create();
    other.loop().execute(() -> {
      throw new IllegalStateException("broken on purpose");
    });
    AssertionError failure = assertThrows(AssertionError.class, other::close);
    assertTrue(String.valueOf(failure.getMessage()).contains("broken on purpose"));
  }
}
