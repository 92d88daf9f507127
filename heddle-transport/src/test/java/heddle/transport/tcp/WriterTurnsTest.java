package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a thread that writes much, to a peer that does not read, leaves to other threads. */
@Timeout(60)
@EnabledOnOs(OS.LINUX) // Sockets elsewhere take less before a write waits.
class WriterTurnsTest {
  private static final int KIB = 1024;
  private static final int PIECE = 16 * KIB;
  private static final int LITTLE = 128 * KIB;
  private static final int MUCH = 64 * KIB * KIB;

  /** A turn, and what one step may write beyond it. */
  private static final int MOST_AT_ONCE = (256 + 144) * KIB;

  /**
   * Run in a JVM of its own with one carrier. Prints how much each writer has written when a thread
   * runs that the loop was asked to start before the first write.
   */
  static final class OneCarrier {
    public static void main(String[] args) throws Exception {
      try (TcpNetwork network = TcpNetwork.create();
          ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
        System.out.println(writtenBefore(network, server, LITTLE, PIECE));
        System.out.println(writtenBefore(network, server, MUCH, MUCH));
        System.out.println(writtenBefore(network, server, MUCH, PIECE));
        System.out.println(writtenBefore(network, server, LITTLE, 100));
      }
    }

    private static int writtenBefore(TcpNetwork network, ServerSocket server, int bytes, int piece)
        throws Exception {
      InetSocketAddress address =
          new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
      Channel channel =
          network.connect(address, Deadline.after(Duration.ofSeconds(20), Clock.system()));
      try (Socket unused = server.accept()) {
        Writer writer = new Writer(channel, bytes, piece);
        Thread thread = Thread.ofVirtual().start(writer);
        int written = writer.writtenBefore.get();
        channel.close();
        thread.join();
        return written;
      }
    }
  }

  private static final class Writer implements Runnable {
    private final Channel channel;
    private final int bytes;
    private final ByteBuffer piece;
    private final CompletableFuture<Integer> writtenBefore = new CompletableFuture<>();

    /** What the pieces before the present one have in all. */
    private volatile int start;

    Writer(Channel channel, int bytes, int piece) {
      this.channel = channel;
      this.bytes = bytes;
      this.piece = ByteBuffer.allocate(piece);
    }

    @Override
    public void run() {
      channel.loop().execute(() -> Thread.ofVirtual()
          .start(() -> writtenBefore.complete(start + piece.position())));
      try {
        for (int next = piece.capacity(); next <= bytes; next += piece.capacity()) {
          channel.write(piece, Deadline.never());
          piece.clear();
          start = next;
        }
      } catch (IOException e) {
        if (channel.isOpen()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Test
  void aThreadThatTheLoopStartsRunsBeforeTheSocketOfAWriterIsFull() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1",
            "-cp",
            System.getProperty("java.class.path"),
            OneCarrier.class.getName())
        .redirectErrorStream(true)
        .start();
    List<String> said;
    try (BufferedReader out = process.inputReader()) {
      said = out.lines().toList();
    }
    assertEquals(0, process.waitFor(), said::toString);
    List<Integer> written = said.stream().map(Integer::valueOf).toList();
    assertEquals(LITTLE, written.get(0), "little is written without a pause");
    assertTrue(written.get(1) <= MOST_AT_ONCE, "in one write: " + said);
    assertTrue(written.get(2) <= MOST_AT_ONCE, "in many writes: " + said);
    assertTrue(written.get(3) <= LITTLE / 2, "in many short writes: " + said);
  }

  @Test
  void aWriterThatWaitsBetweenItsWritesNeedsNoHelpOfTheLoop() throws Exception {
    CompletableFuture<Void> mayLoopGoOn = new CompletableFuture<>();
    AtomicLong waited = new AtomicLong();
    SelectorLoop loop =
        new SelectorLoop("turns", () -> Clock.system().nanoTime() + waited.get(), Selector::open);
    try (TcpNetwork network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Deadline deadline = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel = network.connect(server.getLocalSocketAddress(), deadline);
      try (Socket peer = server.accept()) {
        Thread reader = Thread.ofVirtual().start(() -> drain(peer));
        loop.execute(mayLoopGoOn::join);
        CompletableFuture<Integer> written = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
          try {
            written.complete(writeWithPauses(channel, deadline, waited));
          } catch (Throwable e) {
            written.completeExceptionally(e);
          }
        });
        assertEquals(2 * MOST_AT_ONCE / PIECE, written.join());
        mayLoopGoOn.complete(null);
        channel.close();
        reader.join();
      } finally {
        mayLoopGoOn.complete(null);
      }
    }
  }

  /** Takes 16 ms for each 256 KiB. */
  private static int writeWithPauses(Channel channel, Deadline deadline, AtomicLong waited)
      throws IOException {
    int pieces = 2 * MOST_AT_ONCE / PIECE;
    for (int i = 0; i < pieces; i++) {
      channel.write(ByteBuffer.allocate(PIECE), deadline);
      waited.addAndGet(1_000_000);
    }
    return pieces;
  }

  /** The clock does not advance, so no turn ends because of its time limit. */
  @Test
  void aWriterNeedsTheLoopForEveryFourthTurnOnlyIfThatHasNoNews() throws Exception {
    SelectorLoop loop = new SelectorLoop("turns", () -> 1_000_000_000L, Selector::open);
    CompletableFuture<Void> mayLoopGoOn = new CompletableFuture<>();
    try (TcpNetwork network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Channel channel = network.connect(server.getLocalSocketAddress(), Deadline.never());
      try (Socket peer = server.accept()) {
        writeTurns(channel, peer, 2).join(); // The second begins with the loop's help.
        loop.execute(mayLoopGoOn::join);
        writeTurns(channel, peer, 3).join();
        CompletableFuture<Void> fourth = writeTurns(channel, peer, 1);
        assertThrows(TimeoutException.class, () -> fourth.get(100, TimeUnit.MILLISECONDS));
        mayLoopGoOn.complete(null);
        fourth.join();
        channel.close();
      } finally {
        mayLoopGoOn.complete(null);
      }
    }
  }

  /** Starts a thread that writes for the given number of turns; the peer reads all of it. */
  private static CompletableFuture<Void> writeTurns(Channel channel, Socket peer, int turns) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try {
        for (int i = 0; i < turns; i++) {
          channel.write(ByteBuffer.allocate(256 * KIB), Deadline.never());
          peer.getInputStream().readNBytes(256 * KIB);
        }
        written.complete(null);
      } catch (Throwable e) {
        written.completeExceptionally(e);
      }
    });
    return written;
  }

  private static void drain(Socket peer) {
    try {
      peer.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
