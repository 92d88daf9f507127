package heddle.cli;

import heddle.cli.value.StartTime;
import heddle.load.cluster.remote.Secret;
import heddle.load.schedule.Segment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a load that several processes make together. */
final class LoadSharing {

  @Option(
      names = "--segment",
      paramLabel = "I/N",
      description = "Make this share of the load, such as 2/4, while others make the rest; other"
          + " options describe the whole load, and are the same for all. index:1/4 is the same"
          + " share counted from 0. See heddle merge.")
  private @Nullable String segment;

  @Option(
      names = "--start-at",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Begin at this time by the clock: 2026-05-01T12:00:00Z, seconds since 1970, or"
          + " +10s.")
  private @Nullable Instant startAt;

  @Option(
      names = "--workers",
      paramLabel = "N|HOST:PORT,...",
      defaultValue = "1",
      description = "Make the load with N processes on this machine, which share it (default 1), or"
          + " with heddle worker at these addresses.")
  private String workers = "1";

  @Option(
      names = "--workers-key",
      paramLabel = "FILE",
      description = "The secret of workers on other hosts, the same as heddle worker --key.")
  private @Nullable Path workersKey;

  @Option(names = "--member", hidden = true)
  private boolean member;

  /** The number of processes; throws {@link IllegalArgumentException} if it is malformed. */
  int workers() {
    if (!isNumber()) {
      return addresses().size();
    }
    int count = Integer.parseInt(workers);
    if (count < 1) {
      throw new IllegalArgumentException("--workers takes 1 or more, not " + workers);
    }
    if (workersKey != null) {
      throw new IllegalArgumentException(
          "--workers-key is for workers on other hosts: give their addresses with --workers");
    }
    return count;
  }

  private boolean isNumber() {
    return workers.matches("-?\\d{1,6}");
  }

  /** The addresses of workers on other hosts; empty if there are none. */
  List<InetSocketAddress> addresses() {
    return isNumber() ? List.of() : WorkerAddresses.list(workers);
  }

  /** Whether several processes, or another one, make the load. */
  boolean isShared() {
    return workers() > 1 || !isNumber();
  }

  /** The secret of workers on other hosts. */
  Secret secret() throws IOException {
    return Secret.read(workersKey);
  }

  /** Whether another process has started this one as a worker. */
  boolean isMember() {
    return member;
  }

  /** The segment; throws {@link IllegalArgumentException} if it is malformed. */
  Segment segment() {
    return segment == null ? Segment.WHOLE : Segment.parse(segment);
  }

  /**
   * When to begin; null for at once.
   *
   * @throws IllegalArgumentException if that has passed
   */
  @Nullable
  Instant startAt() {
    if (startAt != null) {
      StartTime.requireToCome(startAt, Instant.now());
    }
    return startAt;
  }
}
