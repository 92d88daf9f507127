package heddle.testkit;

import heddle.transport.Network;

/** The simulated network keeps the contract. */
final class SimChannelContractTest extends ChannelContract {
  @Override
  Network newNetwork() {
    return SimNetwork.create();
  }

  @Override
  int moreThanFits() {
    return MORE_THAN_FITS_SIMULATED;
  }
}
