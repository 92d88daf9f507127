package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one channel may cost the others in a pass of the loop. */
@Timeout(60)
@DisplayName("Promise 23: each connection gets a bounded share of a loop")
class FairShareTest {
  /** As long as it takes to work off a read full of pieces of one byte. */
  private static final long LONG_NANOS = 10_000_000;

  private static final int SMALLEST = 8 * 1024;
  private static final int READ_BUFFER = 256 * 1024;
  private static final byte[] PLENTY = new byte[256 * 1024];

  private final AtomicLong worked = new AtomicLong();

  @Test
  void whatTakesLongToWorkOffComesInSmallReadsBetweenThoseOfOthers() throws Exception {
    SelectorLoop loop =
        new SelectorLoop("fair", () -> Clock.system().nanoTime() + worked.get(), Selector::open);
    try (TcpNetwork network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      Listener greedy = new Listener(LONG_NANOS);
      Listener modest = new Listener(0);
      try (Socket first = open(network, server, greedy);
          Socket second = open(network, server, modest)) {
        Thread.ofVirtual().start(() -> sendUntilClosed(first));
        for (int i = 0; i < 5; i++) {
          greedy.next();
        }
        assertTrue(greedy.next() <= SMALLEST, "the slow listener still gets large reads");
        second.getOutputStream().write(1);
        assertEquals(1, modest.next());
      }
    }
  }

  @Test
  void aChannelWhoseListenerIsFastAgainGetsLargeReadsAgain() throws Exception {
    SelectorLoop loop =
        new SelectorLoop("fair", () -> Clock.system().nanoTime() + worked.get(), Selector::open);
    try (TcpNetwork network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      Listener listener = new Listener(LONG_NANOS);
      try (Socket peer = open(network, server, listener)) {
        Thread.ofVirtual().start(() -> sendUntilClosed(peer));
        while (listener.next() > SMALLEST) {
          Thread.onSpinWait();
        }
        listener.takes = 0;
        while (listener.next() <= READ_BUFFER / 8) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private static Socket open(TcpNetwork network, ServerSocket server, Listener listener)
      throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    Channel channel =
        network.connect(address, Deadline.after(Duration.ofSeconds(20), Clock.system()));
    Socket peer = server.accept();
    channel.start(listener);
    return peer;
  }

  private static void sendUntilClosed(Socket socket) {
    CountDownLatch closed = new CountDownLatch(1);
    while (closed.getCount() > 0) {
      try {
        socket.getOutputStream().write(PLENTY);
      } catch (IOException e) {
        closed.countDown();
      }
    }
  }

  private final class Listener implements ChannelListener {
    private final LinkedBlockingQueue<Integer> reads = new LinkedBlockingQueue<>();
    private volatile long takes;

    Listener(long takes) {
      this.takes = takes;
    }

    int next() throws InterruptedException {
      Integer read = reads.poll(20, TimeUnit.SECONDS);
      if (read == null) {
        throw new AssertionError("nothing was read");
      }
      return read;
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      worked.addAndGet(takes);
      reads.add(bytes.remaining());
    }

    @Override
    public void onEnd() {}

    @Override
    public void onClosed(@Nullable IOException cause) {}
  }
}
