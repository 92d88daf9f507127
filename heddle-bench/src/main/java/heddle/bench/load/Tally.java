package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.DriverRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;

/**
 * Counts what came back. Safe for use by many threads; recording takes no lock.
 *
 * <p>A histogram for each caller would cost 200 KB each and push the client under test out of the
 * cache; a few that threads share by their number cost nothing where there is one core.
 */
final class Tally {

  private static final long LOWEST_NANOS = 100;
  private static final long HIGHEST_NANOS = 3_600_000_000_000L;

  private final long expectedLength;
  private final AtomicHistogram[] stripes;
  private final AtomicHistogram sendLag = histogram();
  private final LongAdder bodyBytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Map<String, Failures> causes = new ConcurrentHashMap<>();

  Tally(DriverRequest request) {
    expectedLength = request.expectedLength();
    int cores = Runtime.getRuntime().availableProcessors();
    stripes = new AtomicHistogram[Integer.highestOneBit(2 * cores - 1)];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = histogram();
    }
  }

  private static AtomicHistogram histogram() {
    return new AtomicHistogram(LOWEST_NANOS, HIGHEST_NANOS, 3);
  }

  /**
   * Counts an answer: as a success, or as a failure where its status is not 200 to 299 or its
   * content has another length than it must have.
   */
  void answered(Answer answer, long latencyNanos) {
    if (!answer.isSuccess()) {
      failed("status " + answer.status(), "");
      return;
    }
    if (expectedLength >= 0 && answer.bodyBytes() != expectedLength) {
      failed("wrong length", answer.bodyBytes() + " bytes instead of " + expectedLength);
      return;
    }
    int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
    stripes[stripe].recordValue(inRange(latencyNanos));
    bodyBytes.add(answer.bodyBytes());
  }

  void failed(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    failed(cause.getClass().getSimpleName(), message == null ? "" : message);
  }

  /** Futures wrap what went wrong; the wrapper tells nobody anything. */
  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** What has gone wrong, in a line. */
  static String text(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return message == null ? kind : kind + ": " + message;
  }

  void failed(String cause, String example) {
    failures.increment();
    causes.computeIfAbsent(cause, key -> new Failures(example)).count.increment();
  }

  void sent(long lagNanos) {
    sendLag.recordValue(inRange(lagNanos));
  }

  private static long inRange(long nanos) {
    return Math.clamp(nanos, 0, HIGHEST_NANOS);
  }

  long answeredCount() {
    long count = 0;
    for (AtomicHistogram stripe : stripes) {
      count += stripe.getTotalCount();
    }
    return count;
  }

  long failedCount() {
    return failures.sum();
  }

  long bodyBytes() {
    return bodyBytes.sum();
  }

  Latency latency() {
    AtomicHistogram all = histogram();
    for (AtomicHistogram stripe : stripes) {
      all.add(stripe);
    }
    return Latency.ofNanos(all);
  }

  Latency sendLag() {
    return Latency.ofNanos(sendLag);
  }

  List<ErrorCause> errors() {
    return causes.entrySet().stream()
        .map(e -> new ErrorCause(e.getKey(), e.getValue().count.sum(), e.getValue().example))
        .sorted(Comparator.comparingLong(ErrorCause::count).reversed())
        .toList();
  }

  private static final class Failures {
    private final String example;
    private final LongAdder count = new LongAdder();

    Failures(String example) {
      this.example = example;
    }
  }
}
