package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections start from the address that a network was told. */
@Timeout(60)
class LocalAddressTest {
  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), Clock.system());
  }

  private static InetSocketAddress anyPortOf(InetAddress address) {
    return new InetSocketAddress(address, 0);
  }

  @Test
  void connectionsStartFromTheAddressThatTheNetworkWasTold() throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    try (Network network = TcpNetwork.builder().localAddress(local).build();
        Network.Listening listening = network.listen(anyPortOf(local), 1, accepted::complete)) {
      Channel channel = network.connect(listening.address(), soon());
      InetSocketAddress from = (InetSocketAddress) accepted.get().remoteAddress();
      assertEquals(local, from.getAddress());
      channel.close();
    }
  }

  /** RFC 5737: an address for documents, which no machine has. */
  @Test
  void nothingIsConnectedFromAnAddressThatTheMachineDoesNotHave() throws Exception {
    InetAddress nobodys = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    try (Network network = TcpNetwork.builder().localAddress(nobodys).build();
        Network.Listening listening =
            network.listen(anyPortOf(InetAddress.getLoopbackAddress()), 1, channel -> {})) {
      assertThrows(IOException.class, () -> network.connect(listening.address(), soon()));
    }
  }
}
