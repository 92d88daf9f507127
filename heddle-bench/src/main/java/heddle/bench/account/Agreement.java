package heddle.bench.account;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what a client reports with what the server counted. */
public final class Agreement {

  /** The share of all requests by which the counts may differ, because connections can break. */
  private static final double SLACK = 0.001;

  /** The same for load generators in C, which do not count requests in flight at the end. */
  private static final double PROGRAM_SLACK = 0.02;

  private Agreement() {}

  /**
   * Why the two do not agree; empty if they do, or if the server does not count.
   *
   * @param inFlight how many requests a client may have under way at once
   */
  public static List<String> doubts(int inFlight, RunFigures figures) {
    Double served = figures.of(Figure.SERVER_REQUESTS);
    Double answered = figures.of(Figure.ANSWERED);
    List<String> doubts = new ArrayList<>();
    if (served == null || answered == null) {
      return doubts;
    }
    if (served < answered) {
      doubts.add(
          "the client counted %.0f answers, the server %.0f requests".formatted(answered, served));
    }
    long errors =
        figures.errorsByCause().values().stream().mapToLong(Long::longValue).sum();
    sent(inFlight, figures.of(Figure.SENT), served, answered, errors, doubts);
    Double peak = figures.of(Figure.SERVER_PEAK);
    // Requests that the client has given up may still be running on the server.
    if (peak != null && peak > inFlight + errors) {
      doubts.add(
          "the server had %.0f requests at once, but %d were allowed".formatted(peak, inFlight));
    }
    return doubts;
  }

  private static void sent(
      int inFlight,
      @Nullable Double sent,
      double served,
      double answered,
      long errors,
      List<String> doubts) {
    double most = sent == null ? answered : sent;
    double slack = (sent == null ? PROGRAM_SLACK : SLACK) * most;
    int uncounted = sent == null ? inFlight : 0;
    if (served > most + slack + uncounted) {
      doubts.add("the client sent %.0f requests, the server counted %.0f: it repeats some itself"
          .formatted(most, served));
    }
    if (sent != null && served < sent - slack - errors - inFlight) {
      doubts.add(
          "the client sent %.0f requests, the server counted only %.0f".formatted(sent, served));
    }
  }
}
