package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.transport.Channel;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets have the options that the network was given. */
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

  @Test
  void probesComeAtTheTimesThatTheNetworkWasGiven() throws Exception {
    assumeTrue(supported().contains(ExtendedSocketOptions.TCP_KEEPIDLE));
    TcpNetwork.Builder builder =
        TcpNetwork.builder().keepAlive(Duration.ofSeconds(777), Duration.ofSeconds(33));
    try (Network network = builder.build();
        Network.Listening listening = network.listen(ANY_PORT, 1, channel -> {})) {
      Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel = network.connect(listening.address(), soon);
      SocketChannel socket = socketOf(channel);
      assertEquals(true, socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
      assertEquals(777, socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
      assertEquals(33, socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
      channel.close();
    }
  }

  @Test
  void timesAreRefusedThatNoSystemAllows() {
    Duration fine = Duration.ofSeconds(1);
    for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofHours(10))) {
      IllegalArgumentException idle = assertThrows(
          IllegalArgumentException.class, () -> TcpNetwork.builder().keepAlive(bad, fine));
      assertTrue(idle.getMessage().startsWith("idle must be"), idle.getMessage());
    }
  }

  @Test
  void buffersHaveTheSizesThatTheNetworkWasGiven() throws Exception {
    try (SocketChannel same = SocketChannel.open();
        Network network = TcpNetwork.builder().socketBuffers(8_192, 16_384).build();
        Network.Listening listening = network.listen(ANY_PORT, 1, channel -> {})) {
      same.setOption(StandardSocketOptions.SO_SNDBUF, 8_192);
      same.setOption(StandardSocketOptions.SO_RCVBUF, 16_384);
      Deadline soon = Deadline.after(Duration.ofSeconds(20), Clock.system());
      Channel channel = network.connect(listening.address(), soon);
      for (SocketOption<Integer> each :
          List.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF)) {
        assertEquals(same.getOption(each), socketOf(channel).getOption(each), each.name());
      }
      channel.close();
    }
    IllegalArgumentException negative = assertThrows(
        IllegalArgumentException.class, () -> TcpNetwork.builder().socketBuffers(0, -1));
    assertEquals("receive must be at least 0 bytes, but was -1", negative.getMessage());
  }

  private static Set<SocketOption<?>> supported() throws IOException {
    try (SocketChannel any = SocketChannel.open()) {
      return any.supportedOptions();
    }
  }

  private static SocketChannel socketOf(Channel channel) throws ReflectiveOperationException {
    Field socket = TcpChannel.class.getDeclaredField("socket");
    socket.setAccessible(true);
    return (SocketChannel) socket.get(channel);
  }
}
