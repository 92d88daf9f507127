package heddle.cli;

import heddle.cli.value.StartTime;
import heddle.load.schedule.Segment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a load that several processes make together. */
final class LoadSharing {

  @Option(
      names = "--segment",
      paramLabel = "I/N",
      description = "Make this share of the load, such as 2/4, while others make the rest; other"
          + " options describe the whole load, and are the same for all. See heddle merge.")
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
      paramLabel = "N",
      defaultValue = "1",
      description = "Make the load with N processes on this machine, which share it (default 1).")
  private int workers = 1;

  @Option(names = "--member", hidden = true)
  private boolean member;

  /** The number of processes; throws {@link IllegalArgumentException} if it is below 1. */
  int workers() {
    if (workers < 1) {
      throw new IllegalArgumentException("--workers takes 1 or more, not " + workers);
    }
    return workers;
  }

  /** Whether another process has started this one as a worker. */
  boolean isMember() {
    return member;
  }

  /** The segment; throws {@link IllegalArgumentException} if it is malformed. */
  Segment segment() {
    String text = segment;
    return text == null ? Segment.WHOLE : Segment.parse(text);
  }

  /**
   * When to begin; null for at once.
   *
   * @throws IllegalArgumentException if that has passed
   */
  @Nullable
  Instant startAt() {
    Instant time = startAt;
    if (time != null) {
      StartTime.requireToCome(time, Instant.now());
    }
    return time;
  }
}
