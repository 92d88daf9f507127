package heddle.codec.http2;

import heddle.bench.ablation.Switch;
import heddle.codec.http2.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class Http2Switches {

  private Http2Switches() {}

  /** All switches; the call does not turn any off. */
  public static List<Switch> all() {
    return List.of(
        new Switch(
            "credit-batches",
            () -> Switches.creditInBatches = false,
            () -> Optimisations.CREDIT_IN_BATCHES),
        new Switch(
            "no-credit-after-end",
            () -> Switches.noCreditAfterEnd = false,
            () -> Optimisations.NO_CREDIT_AFTER_END),
        new Switch(
            "control-first",
            () -> Switches.controlFirst = false,
            () -> Optimisations.CONTROL_FIRST),
        new Switch(
            "joined-frames",
            () -> Switches.framesJoined = false,
            () -> Optimisations.FRAMES_JOINED),
        new Switch(
            "pooled-output",
            () -> Switches.outputReused = false,
            () -> Optimisations.OUTPUT_REUSED));
  }
}
