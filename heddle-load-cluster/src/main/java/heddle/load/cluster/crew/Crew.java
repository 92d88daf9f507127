package heddle.load.cluster.crew;

import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import heddle.load.cluster.merge.LoadJson;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.schedule.Segment;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several processes, here or on other hosts, that make one load together. All begin at the same
 * instant, once each has opened what it needs. Used by one thread; {@link #stop} may be called by
 * any.
 *
 * <pre>{@code
 * try (Crew crew = Crew.start(commands)) {
 *   Crew.Outcome outcome = crew.run(null, LoadListener.NONE);
 *   LoadResult all = Merge.of(outcome.results(), Segment.WHOLE, commands.size(), outcome.lost());
 * }
 * }</pre>
 */
public final class Crew implements AutoCloseable {

  private static final long TICK_MILLIS = 250;

  /** A JVM starts in one second, and in ten on a machine that is busy with others. */
  private static final Duration LONGEST_START = Duration.ofSeconds(60);

  /** From the order to start until the start: long enough for all members to have read it. */
  private static final Duration LEAD = Duration.ofMillis(200);

  /** How long members may take to deliver their results after the order to stop. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(25);

  private final Map<Segment, Member> members = new LinkedHashMap<>();
  private volatile long stoppedAt = Long.MAX_VALUE;

  private Crew() {}

  /**
   * The outcome of a crew's load.
   *
   * @param results the results of its members
   * @param lost the segments without a result, and why
   */
  public record Outcome(List<LoadResult> results, Map<Segment, String> lost) {}

  /**
   * Starts a process for each segment.
   *
   * @throws IOException if one cannot be started; none runs then
   */
  public static Crew start(Map<Segment, List<String>> commands) throws IOException {
    Crew crew = new Crew();
    boolean isStarted = false;
    try {
      for (Map.Entry<Segment, List<String>> each : commands.entrySet()) {
        crew.members.put(each.getKey(), Member.of(ProcessPeer.start(each.getValue(), false)));
      }
      isStarted = true;
      return crew;
    } finally {
      if (!isStarted) {
        crew.close();
      }
    }
  }

  /** Makes a crew of workers that have been ordered to make a load; closes them in the end. */
  public static Crew of(Map<Segment, ? extends Peer> peers) {
    Crew crew = new Crew();
    peers.forEach((segment, peer) -> crew.members.put(segment, Member.of(peer)));
    return crew;
  }

  /**
   * Runs the load to its end.
   *
   * @param time when to begin; null for as soon as all are ready
   * @param listener receives the progress of all members together
   * @throws IOException if one does not become ready; nothing was sent then
   */
  public Outcome run(@Nullable Instant time, LoadListener listener)
      throws IOException, InterruptedException {
    awaitReady();
    if (stoppedAt != Long.MAX_VALUE) {
      return new Outcome(List.of(), Map.of());
    }
    Instant soon = Instant.now().plus(LEAD);
    Instant begin = time == null || time.isBefore(soon) ? soon : time;
    members.values().forEach(member -> member.begin(begin));
    follow(listener);
    listener.measured();
    return outcome();
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_START.toNanos();
    for (Map.Entry<Segment, Member> each : members.entrySet()) {
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      if (!each.getValue().awaitReady(left) && stoppedAt == Long.MAX_VALUE) {
        throw new IOException("the worker of segment " + each.getKey() + " did not start: "
            + each.getValue().lastWords());
      }
    }
  }

  private void follow(LoadListener listener) throws InterruptedException {
    for (Member member : members.values()) {
      while (!member.awaitEnd(TICK_MILLIS)) {
        progress().ifPresent(listener::progress);
        if (System.nanoTime() - stoppedAt > LONGEST_STOP.toNanos() && stoppedAt != Long.MAX_VALUE) {
          return;
        }
      }
    }
  }

  /** The progress of all together: that of the slowest. */
  private Optional<LoadProgress> progress() {
    return members.values().stream()
        .map(Member::progress)
        .flatMap(Optional::stream)
        .reduce((one, other) -> new LoadProgress(
            one.elapsed().compareTo(other.elapsed()) > 0 ? one.elapsed() : other.elapsed(),
            Math.min(one.fraction(), other.fraction()),
            one.answered() + other.answered(),
            one.failed() + other.failed(),
            one.requestsPerSecond() + other.requestsPerSecond(),
            one.inFlight() + other.inFlight(),
            Math.max(one.sendLagMicros(), other.sendLagMicros())));
  }

  private Outcome outcome() throws IOException, InterruptedException {
    List<LoadResult> results = new ArrayList<>();
    var lost = new LinkedHashMap<Segment, String>();
    for (Map.Entry<Segment, Member> each : members.entrySet()) {
      Optional<String> result = each.getValue().result();
      if (result.isPresent()) {
        results.add(LoadJson.read("the worker of segment " + each.getKey(), result.get())
            .byClockBehind(each.getValue().ahead()));
      } else {
        lost.put(each.getKey(), each.getValue().lastWords());
      }
    }
    return new Outcome(results, lost);
  }

  /** Ends all early; each reports what it has measured so far. */
  public void stop() {
    stoppedAt = System.nanoTime();
    members.values().forEach(Member::stop);
  }

  /** Ends members that are still running. */
  @Override
  public void close() {
    members.values().forEach(Member::close);
  }
}
