package heddle.bench.page;

import heddle.bench.page.Chart.Axis;
import heddle.bench.page.Chart.Point;
import heddle.bench.page.Chart.Scale;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Run;
import heddle.bench.result.Series;
import heddle.bench.result.Series.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Charts of a run over time: for each client, the run whose rate is closest to its median. */
final class TimeCharts {

  private static final String TYPICAL =
      "For each client the round whose rate is closest to its median, from the start of the ";

  /** A line of fewer points tells nothing that the figures do not. */
  private static final int LEAST_POINTS = 10;

  /** More points would not be visible, and make the page large. */
  private static final int MOST_POINTS = 120;

  private TimeCharts() {}

  /** A value over time. */
  private record Aspect(
      String id, String title, Unit unit, Function<Sample, @Nullable Number> value) {}

  /** Of the process of a client. */
  private static final List<Aspect> CLIENT = List.of(
      new Aspect("rate", "Requests answered", Unit.RATE, Sample::requestsPerSecond),
      new Aspect("failures", "Requests failed", Unit.COUNT, Sample::failures),
      new Aspect("in-flight", "Requests in flight, at most", Unit.COUNT, Sample::inFlight),
      new Aspect("lag", "Send lag, at most", Unit.MICROS, Sample::sendLagMicros),
      new Aspect("heap", "Heap, garbage included", Unit.BYTES, Sample::heapBytes),
      new Aspect("rss", "Resident set", Unit.BYTES, Sample::rssBytes),
      new Aspect("cpu", "CPU, cores in use", Unit.COUNT, Sample::cpuCores),
      new Aspect("threads", "Platform threads", Unit.COUNT, Sample::platformThreads));

  /** Of the process of a server. */
  private static final List<Aspect> SERVER = List.of(
      new Aspect("rate", "Requests answered", Unit.RATE, Sample::requestsPerSecond),
      new Aspect("in-flight", "Requests in progress, at most", Unit.COUNT, Sample::inFlight),
      new Aspect("heap", "Server's heap, garbage included", Unit.BYTES, Sample::heapBytes),
      new Aspect("committed", "Server's heap, reserved", Unit.BYTES, Sample::committedHeapBytes),
      new Aspect(
          "after-gc", "Server's heap after a collection", Unit.BYTES, Sample::heapAfterGcBytes),
      new Aspect("rss", "Server's resident set", Unit.BYTES, Sample::rssBytes),
      new Aspect("cpu", "Server's CPU, cores in use", Unit.COUNT, Sample::cpuCores),
      new Aspect("threads", "Server's platform threads", Unit.COUNT, Sample::platformThreads));

  /** A client and the time series of its run. */
  private record Course(String client, Series series) {}

  private static boolean isOfServers(CellResults cell) {
    return cell.info().kind() == LoadKind.SERVED;
  }

  /** Which runs the charts show, and from when. */
  static String note(CellResults cell) {
    return TYPICAL + (isOfServers(cell) ? "run, its warm-up included." : "measured part.");
  }

  /**
   * The charts of a cell for which there are data, of the processes that the cell compares; no lag
   * if requests have no schedule.
   */
  static List<Chart> of(CellResults cell) {
    List<Course> courses = new ArrayList<>();
    for (Measurement each : cell.clients()) {
      typical(cell, each)
          .ifPresent(run -> courses.add(new Course(each.client(), thinned(series(cell, run)))));
    }
    List<Chart> charts = new ArrayList<>();
    for (Aspect aspect : isOfServers(cell) ? SERVER : CLIENT) {
      List<Chart.Series> lines =
          courses.stream().map(each -> line(each, aspect)).toList();
      List<Chart.Series> shown =
          lines.stream().filter(each -> each.points().size() >= LEAST_POINTS).toList();
      if (!shown.isEmpty() && isTelling(cell, aspect, shown)) {
        charts.add(new Chart(
            CellSection.id(cell) + "-time-" + aspect.id(),
            aspect.title(),
            "",
            Axis.of("time", Scale.LINEAR, Unit.SECONDS),
            Axis.of(aspect.title(), Scale.LINEAR, aspect.unit()),
            shown,
            null));
      }
    }
    return charts;
  }

  /** Omits failures if there were none, and lag without a schedule. */
  private static boolean isTelling(CellResults cell, Aspect aspect, List<Chart.Series> lines) {
    return switch (aspect.id()) {
      case "failures" ->
        lines.stream().flatMap(each -> each.points().stream()).anyMatch(each -> each.y() > 0);
      case "lag" -> cell.info().kind() == LoadKind.OPEN;
      default -> true;
    };
  }

  private static Optional<Run> typical(CellResults cell, Measurement measurement) {
    double median = Objects.requireNonNullElse(measurement.of(Figure.RATE), 0.0);
    return measurement.counted().stream()
        .filter(run -> !series(cell, run).samples().isEmpty())
        .min(Comparator.comparingDouble(
            run -> Math.abs(run.figures().requestsPerSecond() - median)));
  }

  private static Series series(CellResults cell, Run run) {
    Series server = run.recording().serverSeries();
    Series client = run.recording().series();
    return isOfServers(cell) ? Objects.requireNonNullElse(server, Series.NONE) : client;
  }

  private static Series thinned(Series series) {
    Series thin = series;
    while (thin.samples().size() > MOST_POINTS) {
      thin = thin.thinned();
    }
    return thin;
  }

  private static Chart.Series line(Course course, Aspect aspect) {
    List<Point> points = new ArrayList<>();
    for (Sample each : course.series().samples()) {
      Number value = aspect.value().apply(each);
      if (value != null) {
        points.add(Point.at(each.seconds(), value.doubleValue()));
      }
    }
    return new Chart.Series(course.client(), points);
  }
}
