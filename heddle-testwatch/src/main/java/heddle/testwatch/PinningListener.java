package heddle.testwatch;

import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Fails a run of tests in which a virtual thread was pinned to its carrier, with the stacks. The
 * JUnit platform finds it if this module is on the class path.
 */
public final class PinningListener implements LauncherSessionListener, TestExecutionListener {
  private static final int MOST_STACKS = 5;

  private final Predicate<RecordedEvent> counts;
  private final NavigableMap<Instant, String> classes = new ConcurrentSkipListMap<>();
  private @Nullable PinnedThreads watch;

  /** Called by the platform. Threads that this module's tests pin on purpose are ignored. */
  public PinningListener() {
    this(event -> !String.valueOf(event.getStackTrace()).contains("heddle.testwatch."));
  }

  PinningListener(Predicate<RecordedEvent> counts) {
    this.counts = counts;
  }

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    session.getLauncher().registerTestExecutionListeners(this);
  }

  /** Starts the recording here, because a session that only discovers tests needs none. */
  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (watch == null) {
      watch = PinnedThreads.watch(false);
    }
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.getSource().orElse(null) instanceof ClassSource source) {
      classes.put(Instant.now(), source.getClassName());
    }
  }

  /**
   * Fails the run at its end, because listeners of single tests cannot fail a test.
   *
   * @throws AssertionError if a virtual thread was pinned
   */
  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (watch == null) {
      return;
    }
    try (PinnedThreads watched = watch) {
      List<RecordedEvent> pinned = watched.stop().stream().filter(counts).toList();
      if (!pinned.isEmpty()) {
        throw new AssertionError(pinned.stream()
            .limit(MOST_STACKS)
            .map(this::describe)
            .collect(Collectors.joining(
                "\n", pinned.size() + " times a virtual thread was pinned to its carrier:\n", "")));
      }
    }
  }

  private String describe(RecordedEvent event) {
    var running = classes.floorEntry(event.getStartTime());
    return "in " + (running == null ? "no test" : running.getValue()) + ": " + event;
  }
}
