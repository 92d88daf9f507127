package heddle.connection.http2;

import heddle.bench.ablation.Switch;
import heddle.connection.http2.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class FlushSwitches {

  private FlushSwitches() {}

  /** All switches; the call does not turn any off. */
  public static List<Switch> all() {
    return List.of(
        new Switch(
            "unlocked-writes",
            () -> Switches.writingUnlocked = false,
            () -> Optimisations.WRITING_UNLOCKED),
        new Switch(
            "callers-write",
            () -> Switches.callersWrite = false,
            () -> Optimisations.CALLERS_WRITE),
        new Switch(
            "flush-yield",
            () -> Switches.writerLetsOthersQueue = false,
            () -> Optimisations.WRITER_LETS_OTHERS_QUEUE));
  }
}
