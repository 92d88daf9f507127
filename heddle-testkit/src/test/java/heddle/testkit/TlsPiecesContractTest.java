package heddle.testkit;

import heddle.transport.Network;
import java.time.Duration;

/** TLS keeps the contract with latency, partial reads and partial writes too. */
final class TlsPiecesContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return TestCertificates.protecting(
        SimNetwork.builder()
            .seed(43)
            .latency(Duration.ZERO, Duration.ofMillis(1))
            .maxReadBytes(200_000)
            .maxWriteBytes(100_000)
            .build(),
        "TLSv1.3");
  }

  @Override
  int moreThanFits() {
    return MORE_THAN_FITS_SIMULATED;
  }
}
