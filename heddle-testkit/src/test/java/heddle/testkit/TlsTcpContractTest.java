package heddle.testkit;

import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;

/** TLS over TCP keeps the contract of a channel. */
final class TlsTcpContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return TestCertificates.protecting(TcpNetwork.builder().loops(2).build(), "TLSv1.3");
  }
}
