package heddle.bench.worker;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Recording;
import heddle.bench.result.Series;
import heddle.load.Extent;
import heddle.load.LoadReport;
import heddle.load.Pace;
import heddle.load.record.Failure;
import heddle.load.record.Latency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the report of a load to figures and to a recording. */
final class ReportFigures {

  private ReportFigures() {}

  /** The figures, without those that do not apply to the pace. */
  static Map<Figure, Double> of(LoadReport load) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.ANSWERED, (double) load.answered());
    switch (load.shape().pace()) {
      case Pace.Closed _ -> putAnswers(figures, load);
      case Pace.Open open -> {
        putAnswers(figures, load);
        figures.put(Figure.SEND_LAG_P99, load.sendLag().p99());
        figures.put(Figure.SEND_LAG_MAX, load.sendLag().max());
        figures.put(Figure.DROPPED, (double) load.dropped());
        figures.put(Figure.ASKED_RATE, askedRate(open, load.shape().extent()));
      }
      case Pace.Batch _ -> {
        putAnswers(figures, load);
        putBatches(figures, load.batches());
      }
      case Pace.Held _ -> putHeld(figures, load.held());
    }
    LoadReport.Held held = load.held();
    double all = held == null ? (double) load.answered() + load.failed() : held.begun();
    if (all > 0) {
      figures.put(Figure.FAILED_SHARE, load.failed() / all);
    }
    return figures;
  }

  /**
   * The average scheduled rate; if the extent is a number of requests, over the duration of the
   * curve.
   */
  private static double askedRate(Pace.Open open, Extent extent) {
    Duration time =
        switch (extent) {
          case Extent.Lasting(Duration lasting) -> lasting;
          case Extent.Requests _ -> open.rate().duration();
        };
    return open.rate().isConstant()
        ? open.rate().peak()
        : open.rate().requestsWithin(time) * 1e9 / time.toNanos();
  }

  /** The number of requests by which costs are divided; held requests have no answers. */
  static double requests(LoadReport load) {
    LoadReport.Held held = load.held();
    return Math.max(1, held == null ? load.answered() : held.most());
  }

  private static void putAnswers(Map<Figure, Double> figures, LoadReport load) {
    figures.put(Figure.RATE, load.requestsPerSecond());
    if (load.answered() == 0) {
      return;
    }
    Latency latency = load.latency();
    figures.put(Figure.MEAN, latency.mean());
    figures.put(Figure.P50, latency.p50());
    figures.put(Figure.P90, latency.p90());
    figures.put(Figure.P99, latency.p99());
    figures.put(Figure.P999, latency.p999());
    figures.put(Figure.MAX, latency.max());
    if (!load.service().equals(latency)) {
      figures.put(Figure.SERVICE_P50, load.service().p50());
      figures.put(Figure.SERVICE_P99, load.service().p99());
    }
  }

  private static void putBatches(
      Map<Figure, Double> figures, LoadReport.@Nullable Batches batches) {
    if (batches == null || batches.count() == 0) {
      return;
    }
    figures.put(Figure.BATCHES, (double) batches.count());
    figures.put(Figure.BATCH_MEAN, batches.completion().mean());
    figures.put(Figure.BATCH_P50, batches.completion().p50());
    figures.put(Figure.HAND_OVER_MEAN, batches.handOver().mean());
    figures.put(Figure.HAND_OVER_P50, batches.handOver().p50());
    figures.put(Figure.HAND_OVER_RATE, batches.handOversPerSecond());
  }

  private static void putHeld(Map<Figure, Double> figures, LoadReport.@Nullable Held held) {
    if (held == null) {
      return;
    }
    figures.put(Figure.HELD_ASKED, (double) held.asked());
    figures.put(Figure.HELD_MOST, (double) held.most());
    figures.put(Figure.HELD_AT_END, (double) held.atEnd());
    figures.put(Figure.HELD_SECONDS, held.reachedAfter().toNanos() / 1e9);
  }

  /** The recording of the load, with its time series. */
  static Recording recording(LoadReport load, Series series) {
    List<FailedRequests> failures = load.errors().stream()
        .map(error -> new FailedRequests(
            error.count(),
            new Failure(error.kind(), error.phase(), error.cause(), error.example())))
        .toList();
    LoadReport.Distributions recorded = load.distributions();
    return new Recording(
        recorded.response(),
        recorded.service(),
        recorded.sendLag(),
        series,
        null,
        failures,
        remarks(load));
  }

  private static List<String> remarks(LoadReport load) {
    List<String> remarks = new ArrayList<>();
    if (load.isPartial()) {
      remarks.add("the load ended early: " + load.cutShort());
    }
    LoadReport.Held held = load.held();
    if (held != null && !held.why().isEmpty()) {
      remarks.add(
          held.most() + " of " + held.asked() + " requests were held at most: " + held.why());
    }
    return remarks;
  }
}
