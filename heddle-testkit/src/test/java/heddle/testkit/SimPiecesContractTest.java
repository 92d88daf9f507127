package heddle.testkit;

import heddle.transport.Network;
import java.time.Duration;

/** The contract holds with latency, partial reads and partial writes too. */
final class SimPiecesContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return SimNetwork.builder()
        .seed(42)
        .latency(Duration.ZERO, Duration.ofMillis(1))
        .maxReadBytes(200_000)
        .maxWriteBytes(100_000)
        .build();
  }

  @Override
  int moreThanFits() {
    return MORE_THAN_FITS_SIMULATED;
  }
}
