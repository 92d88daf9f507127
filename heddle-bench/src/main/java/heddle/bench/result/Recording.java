package heddle.bench.result;

import heddle.bench.record.Distribution;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run has recorded beside its figures.
 *
 * @param response how long good answers took from the instant at which their requests were meant to
 *     be sent
 * @param service how long they took from the instant at which they were sent; the same where
 *     requests have no schedule
 * @param sendLag how late requests were sent; empty where they have no schedule
 * @param series how the run went on
 * @param failures requests that failed, most frequent first
 * @param remarks what else there is to say, such as why fewer requests were held than asked for
 */
public record Recording(
    Distribution response,
    Distribution service,
    Distribution sendLag,
    Series series,
    List<FailedRequests> failures,
    List<String> remarks) {

  /** Of a program that tells its figures alone. */
  public static final Recording NONE = new Recording(
      Distribution.EMPTY,
      Distribution.EMPTY,
      Distribution.EMPTY,
      Series.NONE,
      List.of(),
      List.of());

  /** Keeps copies. */
  public Recording {
    failures = List.copyOf(failures);
    remarks = List.copyOf(remarks);
  }

  /** The same with one more remark; as it is where that is empty. */
  public Recording withRemark(String remark) {
    if (remark.isEmpty()) {
      return this;
    }
    List<String> more = new ArrayList<>(remarks);
    more.add(remark);
    return new Recording(response, service, sendLag, series, failures, more);
  }

  /** Whether there is nothing in it. */
  public boolean isEmpty() {
    return equals(NONE);
  }
}
