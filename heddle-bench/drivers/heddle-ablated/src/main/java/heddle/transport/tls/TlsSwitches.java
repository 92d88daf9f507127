package heddle.transport.tls;

import heddle.bench.ablation.Switch;
import heddle.transport.tls.Optimisations.Switches;
import java.util.List;

/** The optimisations of this package of the engine that can be switched off. */
public final class TlsSwitches {

  private TlsSwitches() {}

  /** All switches; the call does not turn any off. */
  public static List<Switch> all() {
    return List.of(
        new Switch(
            "gathered-records",
            () -> Switches.gatheredRecords = false,
            () -> Optimisations.GATHERED_RECORDS),
        new Switch(
            "records-together",
            () -> Switches.recordsWrittenTogether = false,
            () -> Optimisations.RECORDS_WRITTEN_TOGETHER),
        new Switch(
            "heap-ciphertext",
            () -> Switches.heapBuffers = false,
            () -> Optimisations.HEAP_BUFFERS),
        new Switch(
            "pooled-ciphertext",
            () -> Switches.buffersPooled = false,
            () -> Optimisations.BUFFERS_POOLED));
  }
}
