package heddle.testkit;

import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;

/** TCP keeps the same contract. */
final class TcpChannelContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return TcpNetwork.builder().loops(2).build();
  }
}
