package heddle.transport.tcp;

import heddle.bench.ablation.Switch;
import heddle.transport.tcp.Optimisations.Switches;
import java.util.List;

/** What can be switched off in this package of the engine. */
public final class TcpSwitches {

  private TcpSwitches() {}

  /** All of them; none is switched off by asking. */
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
