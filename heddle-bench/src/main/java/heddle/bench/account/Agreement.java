package heddle.bench.account;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds what a client says that it did against what the server saw of it. */
public final class Agreement {

  /** Of all requests: what a connection that broke on the way may hide. */
  private static final double SLACK = 0.001;

  /** Programs in C count no requests that were on their way when their time was up. */
  private static final double PROGRAM_SLACK = 0.02;

  private Agreement() {}

  /**
   * Why the two do not agree; empty where they do, and where the server does not count.
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
    // What a client has given up may still be with the server.
    if (peak != null && peak > inFlight + errors) {
      doubts.add(
          "the server had %.0f requests at once, where %d were allowed".formatted(peak, inFlight));
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
