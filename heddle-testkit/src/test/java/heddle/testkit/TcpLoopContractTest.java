package heddle.testkit;

import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;

/** The selector's loop keeps the same contract. */
final class TcpLoopContractTest extends LoopContract {
  @Override
  Network newNetwork() {
    return TcpNetwork.create();
  }
}
