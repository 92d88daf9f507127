package heddle.client;

import heddle.bench.ablation.Switch;
import heddle.client.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class ClientSwitches {

  private ClientSwitches() {}

  /** All switches; the call does not turn any off. */
  public static List<Switch> all() {
    return List.of(new Switch(
        "virtual-calls",
        () -> Switches.callsOnVirtualThreads = false,
        () -> Optimisations.CALLS_ON_VIRTUAL_THREADS));
  }
}
