package heddle.client;

import heddle.bench.ablation.Switch;
import heddle.client.Optimisations.Switches;
import java.util.List;

/** What can be switched off in this package of the engine. */
public final class ClientSwitches {

  private ClientSwitches() {}

  /** All of them; none is switched off by asking. */
  public static List<Switch> all() {
    return List.of(new Switch(
        "virtual-calls",
        () -> Switches.callsOnVirtualThreads = false,
        () -> Optimisations.CALLS_ON_VIRTUAL_THREADS));
  }
}
