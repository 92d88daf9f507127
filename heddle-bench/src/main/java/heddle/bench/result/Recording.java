package heddle.bench.result;

import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has recorded in addition to its figures.
 *
 * @param response times of good answers from the intended start of their requests
 * @param service times of good answers from the actual start of their requests; the same as {@code
 *     response} if requests have no schedule
 * @param sendLag how late requests were sent; empty if they have no schedule
 * @param series the run over time, of the client
 * @param serverSeries the same of the server's process from the start of the run, its warm-up
 *     included; null unless servers are compared
 * @param failures requests that failed, most frequent first
 * @param remarks further remarks, such as why fewer requests were held than requested
 */
public record Recording(
    Distribution response,
    Distribution service,
    Distribution sendLag,
    Series series,
    @Nullable Series serverSeries,
    List<FailedRequests> failures,
    List<String> remarks) {

  /** The recording of a program that only reports figures. */
  public static final Recording NONE = new Recording(
      Distribution.EMPTY,
      Distribution.EMPTY,
      Distribution.EMPTY,
      Series.NONE,
      null,
      List.of(),
      List.of());

  /** Copies the lists. */
  public Recording {
    failures = List.copyOf(failures);
    remarks = List.copyOf(remarks);
  }

  /** A copy with one more remark; unchanged if that is empty. */
  public Recording withRemark(String remark) {
    if (remark.isEmpty()) {
      return this;
    }
    List<String> more = new ArrayList<>(remarks);
    more.add(remark);
    return new Recording(response, service, sendLag, series, serverSeries, failures, more);
  }

  /** A copy with this course of the server's process. */
  public Recording withServer(Series course) {
    return new Recording(response, service, sendLag, series, course, failures, remarks);
  }

  /** The cause and the message of a failed request; empty if no request failed. */
  public String exampleOfFailure() {
    if (failures.isEmpty()) {
      return "";
    }
    Failure first = failures.getFirst().first();
    return first.text().isEmpty() ? first.cause() : first.cause() + ": " + first.text();
  }
}
