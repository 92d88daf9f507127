package heddle.testkit;

import heddle.transport.Network;

/** TLS 1.3 keeps the contract of a channel. */
final class TlsSimContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return TestCertificates.protecting(SimNetwork.create(), "TLSv1.3");
  }

  @Override
  int moreThanFits() {
    return MORE_THAN_FITS_SIMULATED;
  }
}
