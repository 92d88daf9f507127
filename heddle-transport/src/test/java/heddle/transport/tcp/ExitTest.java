package heddle.transport.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a loop does while the JVM ends. */
@Timeout(60)
class ExitTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** A thread in a system call is RUNNABLE to the JVM, which would wait for it. */
  @Test
  void aLoopWaitsInNoSystemCallAndStillReads() throws Exception {
    SelectorLoop loop = new SelectorLoop("ending");
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    try (Network network = new TcpNetwork(List.of(loop), TcpNetwork.builder());
        Network.Listening listening = network.listen(ANY_PORT, 1, accepted::complete)) {
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      loop.execute(() -> thread.complete(Thread.currentThread()));
      loop.jvmEnds();
      while (thread.get().getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel = network.connect(listening.address(), soon);
      CompletableFuture<String> read = new CompletableFuture<>();
      accepted.get().start(new ChannelListener() {
        @Override
        public void onBytes(ByteBuffer bytes) {
          read.complete(ISO_8859_1.decode(bytes).toString());
        }

        @Override
        public void onEnd() {}

        @Override
        public void onClosed(@Nullable IOException cause) {}
      });
      channel.write(ByteBuffer.wrap("still".getBytes(ISO_8859_1)), soon);
      assertEquals("still", read.get());
    }
  }

  @Test
  void aClosedNetworkLeavesNoShutdownHook() {
    TcpNetwork open = TcpNetwork.create();
    TcpNetwork closed = TcpNetwork.create();
    closed.close();
    assertFalse(Runtime.getRuntime().removeShutdownHook(closed.atExit));
    assertTrue(Runtime.getRuntime().removeShutdownHook(open.atExit));
    open.close();
  }
}
