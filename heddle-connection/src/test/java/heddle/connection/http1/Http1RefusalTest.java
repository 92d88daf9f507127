package heddle.connection.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.OneOwner;
import heddle.connection.ServerConnection;
import heddle.testkit.ManualChannel;
import java.util.concurrent.CountDownLatch;
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
  private final Http1ServerConnection connection = new Http1ServerConnection(new OneOwner(channel) {
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
