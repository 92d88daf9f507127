package heddle.transport;

import heddle.bench.ablation.Switch;
import heddle.transport.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class TransportSwitches {

  private TransportSwitches() {}

  /** All switches; the call does not turn any off. */
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
