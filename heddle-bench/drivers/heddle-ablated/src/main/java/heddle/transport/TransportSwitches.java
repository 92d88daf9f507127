package heddle.transport;

import heddle.bench.ablation.Switch;
import heddle.transport.Optimisations.Switches;
import java.util.List;

/** What can be switched off in this package of the engine. */
public final class TransportSwitches {

  private TransportSwitches() {}

  /** All of them; none is switched off by asking. */
  public static List<Switch> all() {
    return List.of(
        new Switch(
            "pooled-chunks",
            () -> Switches.chunksPooled = false,
            () -> Optimisations.CHUNKS_POOLED),
        new Switch(
            "unpooled-small-chunks",
            () -> Switches.smallChunksUnpooled = false,
            () -> Optimisations.SMALL_CHUNKS_UNPOOLED));
  }
}
