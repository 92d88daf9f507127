package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a pass of the loop that reads much wakes readers before its end. */
@Timeout(60)
class HandOverTest {
  private static final int CHANNELS = 60;
  private static final int BYTES_EACH = 40_000;

  /** Twice what is read before a hand-over. */
  private static final int MUCH = 2 * 1024 * 1024;

  @Test
  void whoeverWaitsForTheFirstOfManyLargeAnswersNeedNotWaitForTheLast() throws Exception {
    try (Network network = TcpNetwork.create();
        ServerSocket server = new ServerSocket(0, CHANNELS, InetAddress.getLoopbackAddress())) {
      var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
      Pass pass = new Pass();
      List<Socket> peers = new ArrayList<>();
      CountDownLatch sent = new CountDownLatch(1);
      EventLoop loop = null;
      for (int i = 0; i < CHANNELS; i++) {
        Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
        Channel channel = network.connect(address, soon);
        peers.add(server.accept());
        if (loop == null) {
          loop = channel.loop();
          loop.execute(() -> await(sent));
        }
        channel.start(pass.of(channel));
      }
      for (Socket peer : peers) {
        peer.getOutputStream().write(new byte[BYTES_EACH]);
      }
      sent.countDown();
      assertTrue(pass.isReaderAwakeInTime(), "the reader of the first waited for the whole pass");
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All channels belong to one loop, whose own all this is but the latch and the answer. */
  private static final class Pass {
    private final CountDownLatch awake = new CountDownLatch(1);
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
    private @Nullable Thread reader;
    private int read;

    ChannelListener of(Channel channel) {
      return new ChannelListener() {
        @Override
        public void onBytes(ByteBuffer bytes) {
          if (reader == null) {
            reader = parked();
            channel.loop().unpark(reader);
          }
          read += bytes.remaining();
          bytes.position(bytes.limit());
          if (read >= MUCH && !answer.isDone()) {
            answer.complete(await(awake));
          }
        }

        @Override
        public void onEnd() {}

        @Override
        public void onClosed(@Nullable IOException cause) {}
      };
    }

    /** A thread that says when it is unparked, and waits for that already. */
    private Thread parked() {
      Thread waiting = Thread.ofPlatform().daemon().start(() -> {
        LockSupport.park();
        awake.countDown();
      });
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      return waiting;
    }

    boolean isReaderAwakeInTime() throws Exception {
      return answer.get(40, TimeUnit.SECONDS);
    }
  }
}
