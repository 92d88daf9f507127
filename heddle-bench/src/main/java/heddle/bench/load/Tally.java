package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.record.Distribution;
import heddle.bench.record.Failure;
import heddle.bench.record.FailureClassifier;
import heddle.bench.record.FailureKind;
import heddle.bench.record.Latency;
import heddle.bench.record.Stripes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Counts what came back. Safe for use by many threads; recording takes no lock, and no more memory
 * however long the load goes on.
 */
final class Tally {

  private static final long ANY_LENGTH = -1;

  /** Clients that write a number into each message must not fill the memory. */
  private static final int MOST_CAUSES = 200;

  /** Nor must servers that answer with every status there is. */
  private static final int MOST_STATUSES = 8;

  private static final int USUAL_STATUS = 200;

  /** Stands for each status after the first {@link #MOST_STATUSES}. */
  private static final int OTHER_STATUS = 0;

  private final long expectedLength;
  private final FailureClassifier classifier;
  private final Stripes responses = new Stripes();

  /** Those of another good status than the usual one, which most loads never see. */
  private final Map<Integer, Stripes> otherResponses = new ConcurrentHashMap<>();

  private final Stripes services;
  private final Stripes sendLags;
  private final LongAccumulator latestLag = new LongAccumulator(Math::max, 0);
  private final LongAdder bodyBytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder drops = new LongAdder();
  private final Map<Alike, Failures> causes = new ConcurrentHashMap<>();

  /** What failures have in common. */
  private record Alike(FailureKind kind, String phase, String cause) {}

  /**
   * A tally of requests that begin when they are meant to.
   *
   * @param expectedLength what an answer's content must have, in bytes; -1 for any
   */
  Tally(long expectedLength) {
    this(expectedLength, FailureClassifier.ofAnyClient(), false);
  }

  /**
   * A tally.
   *
   * @param isLate whether requests may begin later than they are meant to, so that the time in
   *     service differs from the response time
   */
  Tally(long expectedLength, FailureClassifier classifier, boolean isLate) {
    this.expectedLength = expectedLength;
    this.classifier = classifier;
    services = isLate ? new Stripes() : responses;
    sendLags = isLate ? new Stripes() : Stripes.single();
  }

  /** A tally where answers of any length are good. */
  static Tally ofAnyLength(FailureClassifier classifier, boolean isLate) {
    return new Tally(ANY_LENGTH, classifier, isLate);
  }

  /**
   * Counts an answer: as a success, or as a failure where its status is not 200 to 299 or its
   * content has another length than it must have.
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

  /** The same for a request that began when it was meant to. */
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

  /** So many had no answer when the load was over. */
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

  /** What has gone wrong, in a line. */
  static String text(Throwable failure) {
    Throwable cause = FailureClassifier.unwrapped(failure);
    String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return message == null ? kind : kind + ": " + message;
  }

  /** A request began so long after it was meant to. */
  void sent(long lagNanos) {
    sendLags.record(lagNanos);
    latestLag.accumulate(lagNanos);
  }

  /** By how much the latest request was late since this was asked for the last time. */
  double latestLagMicros() {
    return latestLag.getThenReset() / 1e3;
  }

  /** A request was not sent, because too many had not ended. */
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

  /** A copy of the response times by status; those of no answer are missing. */
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

  /** A copy of all times in service. */
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
