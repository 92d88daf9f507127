package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Network;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that could not run when a timer was due. */
@Timeout(60)
class HeldUpLoopTest {
  private static final long SECOND = 1_000_000_000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void whatArrivedMeanwhileIsReadBeforeTheTimerFires() throws Exception {
    AtomicLong heldUpFor = new AtomicLong();
    Clock clock = () -> Clock.system().nanoTime() + heldUpFor.get();
    SelectorLoop loop = new SelectorLoop("held-up", clock, Selector::open);
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (Network network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
      Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel =
          network.connect(new InetSocketAddress(LOOPBACK, server.getLocalPort()), soon);
      channel.start(new ChannelListener() {
        @Override
        public void onBytes(ByteBuffer bytes) {
          bytes.position(bytes.limit());
          seen.add("bytes");
        }

        @Override
        public void onEnd() {}

        @Override
        public void onClosed(@Nullable IOException cause) {}
      });
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Timer timer = loop.newTimer(() -> seen.add("timer"));
      loop.execute(() -> {
        timer.arm(clock.nanoTime() + SECOND);
        held.countDown();
        await(goOn);
      });
      await(held);
      try (Socket peer = server.accept()) {
        peer.getOutputStream().write(1);
        awaitArrival(loop);
        heldUpFor.set(2 * SECOND);
        goOn.countDown();
        assertEquals("bytes", seen.poll(20, TimeUnit.SECONDS));
        assertEquals("timer", seen.poll(20, TimeUnit.SECONDS));
      }
    }
  }

  /** Waits until the loop's channel can be read, while the loop does not look. */
  private static void awaitArrival(SelectorLoop loop) throws IOException {
    SelectableChannel socket = loop.selector().keys().iterator().next().channel();
    try (Selector other = Selector.open()) {
      socket.register(other, SelectionKey.OP_READ);
      assertEquals(1, other.select(20_000));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
