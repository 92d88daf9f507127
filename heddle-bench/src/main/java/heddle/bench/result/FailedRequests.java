package heddle.bench.result;

import heddle.bench.record.Failure;
import heddle.bench.record.FailureKind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that failed alike: in kind, phase and cause.
 *
 * @param count how many
 * @param first how the first of them failed; its text is an example of what they said
 */
public record FailedRequests(long count, Failure first) {

  /** What failures have in common. */
  private record Alike(FailureKind kind, String phase, String cause) {}

  /** Those that are alike as one, most frequent first. */
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
