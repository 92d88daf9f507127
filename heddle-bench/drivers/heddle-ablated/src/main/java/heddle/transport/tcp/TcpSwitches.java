package heddle.transport.tcp;

import heddle.bench.ablation.Switch;
import heddle.transport.tcp.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class TcpSwitches {

  private TcpSwitches() {}

  /** All switches; the call does not turn any off. */
  public static List<Switch> all() {
    return List.of(
        new Switch("tcp-nodelay", () -> Switches.noDelay = false, () -> Optimisations.NO_DELAY),
        new Switch(
            "wake-relay",
            () -> Switches.relayedWakeUps = false,
            () -> Optimisations.RELAYED_WAKE_UPS),
        new Switch(
            "loop-yield", () -> Switches.yieldingLoop = false, () -> Optimisations.YIELDING_LOOP));
  }
}
