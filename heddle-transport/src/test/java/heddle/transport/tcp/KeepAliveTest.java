package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the system probes silent connections is what the network was told. */
@Timeout(60)
class KeepAliveTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionsAreProbedWhereTheNetworkWasToldTo(boolean whether) throws Exception {
    try (Network network = TcpNetwork.builder().keepAlive(whether).build();
        Network.Listening listening = network.listen(ANY_PORT, 1, channel -> {})) {
      Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel = network.connect(listening.address(), soon);
      assertEquals(whether, socketOf(channel).getOption(StandardSocketOptions.SO_KEEPALIVE));
      channel.close();
    }
  }

  private static SocketChannel socketOf(Channel channel) throws ReflectiveOperationException {
    Field socket = TcpChannel.class.getDeclaredField("socket");
    socket.setAccessible(true);
    return (SocketChannel) socket.get(channel);
  }
}
