package heddle.testkit;

import heddle.transport.Network;

/** Networks whose channels are protected, for contracts that hold with TLS as without. */
final class TlsContracts {
  private static final TestCertificates AUTHORITY = new TestCertificates("network");
  private static final TestCertificates.Identity SERVER = AUTHORITY.identity("localhost");

  private TlsContracts() {}

  static Network over(Network network, String version) {
    return TlsNetwork.over(
        network,
        AUTHORITY.trusting().protocols(version).build(),
        TestCertificates.being(SERVER).protocols(version).build());
  }
}
