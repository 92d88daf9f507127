package heddle.bench.result;

import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that failed with the same kind, phase and cause.
 *
 * @param count the number of requests
 * @param first the first failure, whose text is an example
 */
public record FailedRequests(long count, Failure first) {

  /** The key by which failures are grouped. */
  private record Alike(FailureKind kind, String phase, String cause) {}

  /** Adds up equal failures, most frequent first. */
  public static List<FailedRequests> sum(List<FailedRequests> parts) {
    Map<Alike, FailedRequests> sums = new LinkedHashMap<>();
    for (FailedRequests each : parts) {
      Failure first = each.first;
      sums.merge(
          new Alike(first.kind(), first.phase(), first.cause()),
          each,
          (one, more) -> new FailedRequests(one.count + more.count, one.first));
    }
    return sums.values().stream()
        .sorted(Comparator.comparingLong(FailedRequests::count).reversed())
        .toList();
  }
}
