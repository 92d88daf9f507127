package heddle.connection.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Event;
import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.testkit.ManualChannel;
import heddle.transport.Channel;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a connection whose refusal cannot be written. */
@Timeout(60)
class Http1RefusalTest {
  private final CountDownLatch written = new CountDownLatch(1);
  private final ManualChannel channel = new ManualChannel(buffers -> {
    written.countDown();
    throw new OutOfMemoryError("injected");
  });
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Http1ServerConnection connection =
      new Http1ServerConnection(new Http1ServerConnection.Owner() {
        @Override
        public long id() {
          return 1;
        }

        @Override
        public Channel channel() {
          return channel;
        }

        @Override
        public Http1Resources resources() {
          return new Http1Resources(
              ServerLimits.DEFAULTS,
              true,
              new MemoryBudget(1 << 20),
              new HeadParsers(),
              new RecentOrigins());
        }

        @Override
        public @Nullable Runnable successor(Event.RequestHead head) {
          return null;
        }

        @Override
        public void onRequest(ServerExchange exchange) {}

        @Override
        public void onClosed(ServerConnection ended) {
          closed.countDown();
        }
      });

  @Test
  void aRefusalThatDiesOfAnErrorClosesItsConnection() throws Exception {
    connection.start();
    channel.start(connection);
    channel.bring("no request\r\n\r\n".getBytes(ISO_8859_1));
    written.await();
    while (channel.isOpen()) {
      assertTrue(!Thread.interrupted(), "the connection stays open");
      Thread.onSpinWait();
    }
    while (closed.getCount() > 0) {
      assertTrue(!Thread.interrupted(), "the server does not hear of the end");
      channel.loop().runPending();
    }
  }
}
