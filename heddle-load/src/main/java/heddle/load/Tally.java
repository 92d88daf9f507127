package heddle.load;

import heddle.bench.driver.Answer;
import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import heddle.load.record.FailureClassifier;
import heddle.load.record.FailureKind;
import heddle.load.record.Latency;
import heddle.load.record.Stripes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Counts and times answers and failures. Safe for use by many threads. Recording takes no lock, and
 * constant memory no matter how long the load runs.
 */
final class Tally {

  /** Bounds the memory for clients that write a different number into each message. */
  private static final int MOST_CAUSES = 200;

  /** The same for servers that answer with many statuses. */
  private static final int MOST_STATUSES = 8;

  private static final int USUAL_STATUS = 200;

  /** Stands for each status after the first {@link #MOST_STATUSES}. */
  private static final int OTHER_STATUS = 0;

  private final long expectedLength;
  private final FailureClassifier classifier;
  private final Stripes responses = new Stripes();

  /** Response times of good answers with an unusual status, which most loads never see. */
  private final Map<Integer, Stripes> otherResponses = new ConcurrentHashMap<>();

  private final Stripes services;
  private final Stripes sendLags;
  private final LongAccumulator latestLag = new LongAccumulator(Math::max, 0);
  private final LongAdder bodyBytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder drops = new LongAdder();
  private final Map<Alike, Failures> causes = new ConcurrentHashMap<>();

  /** The key by which failures are grouped. */
  private record Alike(FailureKind kind, String phase, String cause) {}

  /**
   * Creates a tally of requests without a schedule.
   *
   * @param expectedLength the required length of an answer's content, in bytes; -1 for any
   */
  Tally(long expectedLength) {
    this(expectedLength, FailureClassifier.ofAnyClient(), false);
  }

  /**
   * Creates a tally.
   *
   * @param expectedLength the required length of an answer's content, in bytes; -1 for any
   * @param isLate whether requests may begin later than intended, so that the service time differs
   *     from the response time
   */
  Tally(long expectedLength, FailureClassifier classifier, boolean isLate) {
    this.expectedLength = expectedLength;
    this.classifier = classifier;
    services = isLate ? new Stripes() : responses;
    sendLags = isLate ? new Stripes() : Stripes.single();
  }

  /**
   * Counts an answer: as a failure if its status is not 200 to 299 or its content does not have the
   * expected length, else as a success.
   *
   * @param responseNanos from the intended start
   * @param serviceNanos from the actual start
   */
  void answered(Answer answer, long responseNanos, long serviceNanos) {
    if (!isGood(answer)) {
      return;
    }
    responsesOf(answer.status()).record(responseNanos);
    if (services != responses) {
      services.record(serviceNanos);
    }
    bodyBytes.add(answer.bodyBytes());
  }

  private Stripes responsesOf(int status) {
    if (status == USUAL_STATUS) {
      return responses;
    }
    Stripes known = otherResponses.get(status);
    if (known != null) {
      return known;
    }
    int key = otherResponses.size() < MOST_STATUSES ? status : OTHER_STATUS;
    return otherResponses.computeIfAbsent(key, _ -> new Stripes());
  }

  /** The same for a request that began on time. */
  void answered(Answer answer, long nanos) {
    answered(answer, nanos, nanos);
  }

  private boolean isGood(Answer answer) {
    if (!answer.isSuccess()) {
      failed(new Failure(FailureKind.STATUS, "", "status " + answer.status(), ""));
      return false;
    }
    if (expectedLength >= 0 && answer.bodyBytes() != expectedLength) {
      failed(new Failure(
          FailureKind.LENGTH,
          "",
          "wrong length",
          answer.bodyBytes() + " bytes instead of " + expectedLength));
      return false;
    }
    return true;
  }

  void failed(Throwable failure) {
    failed(classifier.classify(failure));
  }

  /** Counts requests that had no answer when the load was over. */
  void unanswered(long count, String text) {
    for (long i = count; i > 0; i--) {
      failed(new Failure(FailureKind.UNANSWERED, "", "Unanswered", text));
    }
  }

  private void failed(Failure failure) {
    failures.increment();
    Alike alike = new Alike(failure.kind(), failure.phase(), failure.cause());
    if (causes.size() >= MOST_CAUSES && !causes.containsKey(alike)) {
      alike = new Alike(failure.kind(), "", "others");
    }
    causes.computeIfAbsent(alike, key -> new Failures(failure.text())).count.increment();
  }

  /** The failure in one line. */
  static String text(Throwable failure) {
    Throwable cause = FailureClassifier.unwrapped(failure);
    String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return message == null ? kind : kind + ": " + message;
  }

  /** Records the lag with which a request began. */
  void sent(long lagNanos) {
    sendLags.record(lagNanos);
    latestLag.accumulate(lagNanos);
  }

  /** The longest lag since the last call. */
  double latestLagMicros() {
    return latestLag.getThenReset() / 1e3;
  }

  /** Counts a request that was not sent, because too many were unfinished. */
  void dropped() {
    drops.increment();
  }

  long answeredCount() {
    long others = 0;
    for (Stripes each : otherResponses.values()) {
      others += each.count();
    }
    return responses.count() + others;
  }

  long failedCount() {
    return failures.sum();
  }

  long droppedCount() {
    return drops.sum();
  }

  long bodyBytes() {
    return bodyBytes.sum();
  }

  /** A copy of the response times by status, without statuses that never occurred. */
  Map<Integer, Histogram> responsesByStatus() {
    Map<Integer, Histogram> all = new TreeMap<>();
    all.put(USUAL_STATUS, responses.snapshot());
    otherResponses.forEach((status, each) -> all.put(status, each.snapshot()));
    all.values().removeIf(each -> each.getTotalCount() == 0);
    return all;
  }

  /** A copy of all response times. */
  Histogram responses() {
    Histogram all = responses.snapshot();
    otherResponses.values().forEach(each -> all.add(each.snapshot()));
    return all;
  }

  /** A copy of all service times. */
  Histogram services() {
    return services == responses ? responses() : services.snapshot();
  }

  /** A copy of all send lags. */
  Histogram sendLags() {
    return sendLags.snapshot();
  }

  Latency latency() {
    return Latency.ofNanos(responses());
  }

  Latency service() {
    return Latency.ofNanos(services());
  }

  Latency sendLag() {
    return Latency.ofNanos(sendLags());
  }

  LoadReport.Distributions distributions() {
    Distribution response = Distribution.of(responses());
    return new LoadReport.Distributions(
        response,
        services == responses ? response : Distribution.of(services()),
        Distribution.of(sendLags()),
        Distribution.EMPTY,
        Distribution.EMPTY);
  }

  List<ErrorCause> errors() {
    return causes.entrySet().stream()
        .map(each -> each.getValue().of(each.getKey()))
        .sorted(Comparator.comparingLong(ErrorCause::count).reversed())
        .toList();
  }

  private static final class Failures {
    private final String example;
    private final LongAdder count = new LongAdder();

    Failures(String example) {
      this.example = example;
    }

    ErrorCause of(Alike alike) {
      return new ErrorCause(alike.kind, alike.phase, alike.cause, count.sum(), example);
    }
  }
}
