package heddle.verify.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a server's process said at each look, and whether it held too much of its heap. */
final class ServerWatch {
  private final int connectionAllowance;
  private long before;
  private long peak;
  private long dropped;
  private String perByte = "";
  private String beyondBudget = "";

  /** @param connectionAllowance bytes of heap that each connection may cost, whatever it sends */
  ServerWatch(int connectionAllowance) {
    this.connectionAllowance = connectionAllowance;
  }

  /** Nothing is done to the server yet. */
  void begin(ServerStatus status) {
    before = status.heapBytes();
  }

  /** @param bytesSent what the attack has sent up to now */
  void look(ServerStatus status, long bytesSent) {
    long above = Math.max(0, status.heapBytes() - before);
    long free = ServerTrial.NOISE + status.connections() * connectionAllowance;
    if (above > free + ServerTrial.HEAP_PER_BYTE * bytesSent && above > peak) {
      perByte = String.format(
          Locale.ROOT,
          "%.0f bytes of heap per byte beyond what its %d connections may take",
          (above - free) / (double) bytesSent,
          status.connections());
    }
    if (above > status.memoryBudget() + ServerTrial.NOISE && above > peak) {
      beyondBudget = String.format(
          Locale.ROOT,
          "took %.1f MB of heap, its budget is %.1f MB; by its own account %.1f MB",
          above / 1e6,
          status.memoryBudget() / 1e6,
          status.peakMemoryHeld() / 1e6);
    }
    peak = Math.max(peak, above);
    dropped = status.droppedConnections();
  }

  /** Connections that the server has closed without a word. */
  long dropped() {
    return dropped;
  }

  /** The most bytes above what was held before. */
  long peak() {
    return peak;
  }

  List<String> failures() {
    List<String> failures = new ArrayList<>(List.of(perByte, beyondBudget));
    failures.removeIf(String::isEmpty);
    return failures;
  }
}
