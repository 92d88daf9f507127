package heddle.verify.soak;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/** Counts the virtual threads that were pinned to their carrier while it watches. */
final class PinnedThreads implements AutoCloseable {
  private final RecordingStream recording = new RecordingStream();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicReference<@Nullable RecordedEvent> first = new AtomicReference<>();

  PinnedThreads() {
    recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
    recording.setReuse(false);
    recording.onEvent("jdk.VirtualThreadPinned", event -> {
      if (isByTheJvm(event)) {
        return;
      }
      count.incrementAndGet();
      first.compareAndSet(null, event);
    });
    recording.startAsync();
  }

  /**
   * The JVM itself lets two threads that load or link the same code wait for each other, once, and
   * so does the flight recorder, which watches here, with threads that record the same text. That
   * is nothing that the code could do about, and not the kind of pinning that is looked for.
   */
  private static boolean isByTheJvm(RecordedEvent event) {
    String reason = event.hasField("pinnedReason") ? event.getString("pinnedReason") : null;
    if (reason != null && reason.contains("initialization")) {
      return true;
    }
    RecordedStackTrace trace = event.getStackTrace();
    return trace != null
        && trace.getFrames().stream()
            .map(frame -> frame.getMethod().getType().getName())
            .anyMatch(name -> name.startsWith("jdk.jfr.internal.")
                || name.startsWith("java.lang.invoke.")
                || name.startsWith("java.lang.ClassLoader")
                || name.startsWith("jdk.internal.loader."));
  }

  /**
   * Stops watching.
   *
   * @throws BrokenInvariant if a thread was pinned
   */
  void check() {
    recording.stop();
    if (count.get() > 0) {
      throw new BrokenInvariant(
          count + " times a virtual thread was pinned, first here: " + first.get());
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
