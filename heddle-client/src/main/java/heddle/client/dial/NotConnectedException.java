package heddle.client.dial;

import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * No address accepted a connection. The message names the addresses; the cause is the failure of
 * the last one, and the suppressed exceptions have the failure of each.
 */
final class NotConnectedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** How many addresses a message names: a host may have dozens. */
  private static final int NAMED = 8;

  private final boolean outOfTime;

  /** A failed attempt to connect to an address. */
  record Failed(SocketAddress address, IOException cause) {
    @Override
    public String toString() {
      String message = cause instanceof DeadlinePassedException
          ? "no answer in time"
          : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
      return address + ": " + message;
    }
  }

  /**
   * @param outOfTime whether the time was up before an attempt succeeded
   */
  NotConnectedException(List<Failed> failures, boolean outOfTime) {
    super(describe(failures), failures.getLast().cause());
    this.outOfTime = outOfTime;
    if (failures.size() > 1) {
      for (Failed each : failures) {
        addSuppressed(new IOException(each.toString(), each.cause()));
      }
    }
  }

  boolean isOutOfTime() {
    return outOfTime;
  }

  private static String describe(List<Failed> failures) {
    if (failures.size() == 1) {
      return failures.getFirst().toString();
    }
    String named =
        failures.stream().limit(NAMED).map(Failed::toString).collect(Collectors.joining("; "));
    int more = failures.size() - NAMED;
    return "none of %d addresses: %s%s"
        .formatted(failures.size(), named, more > 0 ? "; and " + more + " more" : "");
  }
}
