package heddle.testkit;

import heddle.transport.Network;

/** The simulated loop keeps the contract. */
final class SimLoopContractTest extends LoopContract {
  @Override
  Network newNetwork() {
    return SimNetwork.create();
  }
}
