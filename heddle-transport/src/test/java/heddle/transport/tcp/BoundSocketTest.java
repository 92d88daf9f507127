package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.Network;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network may accept from a socket that was bound before. */
@Timeout(60)
class BoundSocketTest {
  @Test
  void connectionsMadeBeforeTheNetworkListensAreAccepted() throws Exception {
    ServerSocketChannel bound = ServerSocketChannel.open();
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    InetSocketAddress address = (InetSocketAddress) bound.getLocalAddress();
    var accepted = new SynchronousQueue<Channel>();
    try (Socket early = new Socket(address.getAddress(), address.getPort());
        TcpNetwork network = TcpNetwork.builder().boundSocket(bound).build();
        Network.Listening listening =
            network.listen(new InetSocketAddress(0), 1, channel -> Thread.ofVirtual()
                .start(() -> hand(channel, accepted)))) {
      assertEquals(address, listening.address());
      Channel first = accepted.poll(30, TimeUnit.SECONDS);
      assertEquals(early.getLocalSocketAddress(), first.remoteAddress());
      first.close();
      assertTrue(bound.isOpen());
      listening.close();
      assertFalse(bound.isOpen());
    }
  }

  private static void hand(Channel channel, SynchronousQueue<Channel> accepted) {
    try {
      accepted.put(channel);
    } catch (InterruptedException e) {
      channel.close();
    }
  }
}
