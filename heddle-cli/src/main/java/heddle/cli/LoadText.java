package heddle.cli;

import heddle.bench.client.Calibration;
import heddle.load.ErrorCause;
import heddle.load.LoadReport;
import heddle.load.Pace;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.record.FailureKind;
import heddle.load.record.GeneratorCost;
import heddle.load.record.Latency;
import heddle.load.schedule.Segment;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Renders a load's figures as text. */
final class LoadText {

  /** How many lines a histogram has, without that of the slowest hundredth. */
  private static final int STEPS = 10;

  /** How many characters its longest bar has. */
  private static final int BAR = 40;

  private final Formatter text = new Formatter(Locale.ROOT);

  private LoadText() {}

  /** The essential figures, on one line if all is well. */
  static String brief(LoadReport report) {
    var rendered = new LoadText();
    rendered.warnings(report);
    rendered.text.format(
        "%,d answered, %,.0f a second, p50 %.3f ms, p99 %.3f ms, %,d failed",
        report.answered(),
        report.requestsPerSecond(),
        report.latency().p50() / 1e3,
        report.latency().p99() / 1e3,
        report.failed());
    if (report.dropped() > 0) {
      rendered.text.format(", %,d not sent", report.dropped());
    }
    rendered.text.format("%n");
    return rendered.text.toString();
  }

  static String render(LoadResult result) {
    LoadReport report = result.report();
    var rendered = new LoadText();
    rendered.headline(report);
    rendered.latencies(report);
    rendered.histogram(report.distributions().response().histogram());
    rendered.extras(report);
    rendered.statuses(report);
    rendered.errors(report);
    rendered.generator(report, result.processes());
    return rendered.text.toString();
  }

  static String render(Calibration calibration) {
    var rendered = new LoadText();
    rendered.text.format(
        "%s: %.3f µs of CPU for each request, %,.0f a second",
        calibration.what(), calibration.cpuMicrosPerRequest(), calibration.requestsPerSecond());
    if (calibration.lagP99Micros() > 0) {
      rendered.text.format(", one in a hundred %.3f ms late", calibration.lagP99Micros() / 1e3);
    }
    rendered.text.format("%n");
    calibration.doubts().forEach(doubt -> rendered.text.format("  INVALID: %s%n", doubt));
    return rendered.text.toString();
  }

  private void warnings(LoadReport report) {
    if (report.isPartial()) {
      text.format("PARTIAL: the load ended early, because %s%n", report.cutShort());
    }
    for (String doubt : report.doubts()) {
      text.format("INVALID: %s%n", doubt);
    }
  }

  private void headline(LoadReport report) {
    warnings(report);
    text.format(
        "%,d answered in %.2f s, %,.0f a second, %,d bytes of content%n",
        report.answered(),
        report.duration().toNanos() / 1e9,
        report.requestsPerSecond(),
        report.bodyBytes());
    Segment segment = report.shape().segment();
    text.format(
        "%smeasured from %s on%n",
        segment.isWhole() ? "" : "segment " + segment + " of the load, ",
        report.sending().begin().truncatedTo(ChronoUnit.MILLIS));
    double warmUp = report.shape().warmUp().toNanos() / 1e9;
    if (warmUp > 0) {
      text.format("a warm-up of %.1f s is in none of the figures%n", warmUp);
    }
  }

  private void latencies(LoadReport report) {
    if (report.answered() == 0) {
      return;
    }
    boolean isLate = report.sendLag().max() > 0;
    switch (report.shape().pace()) {
      case Pace.Open _ -> latency("latency from the intended start", report.latency());
      case Pace.Batch _ -> latency("latency from the beginning of the batch", report.latency());
      case Pace.Closed _ -> latency("latency", report.latency());
      case Pace.Held _ -> latency("latency of those that were answered", report.latency());
    }
    if (isLate || report.service().p50() != report.latency().p50()) {
      latency("time in service, from the actual start", report.service());
    }
    if (isLate) {
      latency("sent late by", report.sendLag());
    }
  }

  private void latency(String name, Latency latency) {
    text.format("%s, milliseconds%n", name);
    text.format(
        "  mean %.3f  p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f%n",
        latency.mean() / 1e3,
        latency.p50() / 1e3,
        latency.p90() / 1e3,
        latency.p99() / 1e3,
        latency.p999() / 1e3,
        latency.max() / 1e3);
  }

  /** How many latencies lie in each of equal steps up to p99, and how many above. */
  private void histogram(Histogram nanos) {
    long least = nanos.getMinValue();
    long width = Math.ceilDiv(nanos.getValueAtPercentile(99) - least, STEPS);
    if (nanos.getTotalCount() < 2 || width <= 0) {
      return;
    }
    long[] counts = new long[STEPS + 1];
    for (HistogramIterationValue each : nanos.recordedValues()) {
      long step = Math.ceilDiv(Math.max(0, each.getValueIteratedTo() - least), width);
      counts[Math.clamp(step - 1, 0, STEPS)] += each.getCountAddedInThisIterationStep();
    }
    long most = Arrays.stream(counts).max().orElse(1);
    for (int i = 0; i <= STEPS; i++) {
      text.format(
          "  %s %10.3f  %,11d  %s%n",
          i < STEPS ? "up to" : "above",
          (least + width * Math.min(i + 1, STEPS)) / 1e6,
          counts[i],
          "█".repeat((int) Math.ceilDiv(counts[i] * BAR, most)));
    }
  }

  /** Answers that count as good, and then each status that does not. */
  private void statuses(LoadReport report) {
    List<ErrorCause> refused = report.errors().stream()
        .filter(each -> each.kind() == FailureKind.STATUS)
        .toList();
    long all = report.answered() + refused.stream().mapToLong(ErrorCause::count).sum();
    if (all == 0) {
      return;
    }
    text.format("answers by status%n");
    if (report.answered() > 0) {
      status("status 2xx", report.answered(), all);
    }
    refused.forEach(each -> status(each.cause(), each.count(), all));
  }

  private void status(String name, long count, long all) {
    text.format("  %-16s  %,11d  %5.1f%%%n", name, count, 100.0 * count / all);
  }

  private void extras(LoadReport report) {
    LoadReport.Batches batches = report.batches();
    if (batches != null) {
      text.format("%,d batches of %,d%n", batches.count(), batches.size());
      latency("until all of a batch were handed over", batches.handOver());
      latency("until all of a batch had ended", batches.completion());
      text.format(
          "  completed %,.0f a second; handed over only %,.0f a second%n",
          report.requestsPerSecond(),
          batches.size() * 1e6 / Math.max(1, batches.handOver().mean()));
    }
    LoadReport.Held held = report.held();
    if (held != null) {
      text.format(
          "held %,d of %,d at once after %.2f s, %,d at the end; begun in %.2f s%s%n",
          held.most(),
          held.asked(),
          held.reachedAfter().toNanos() / 1e9,
          held.atEnd(),
          held.beginning().toNanos() / 1e9,
          held.why().isEmpty() ? "" : "; not more, because " + held.why());
    }
    if (report.dropped() > 0) {
      text.format(
          "%,d not sent, because too many had not ended (--max-in-flight): the latency leaves"
              + " them out%n",
          report.dropped());
    }
  }

  private void errors(LoadReport report) {
    if (report.errors().isEmpty()) {
      return;
    }
    text.format("%,d failed%n", report.failed());
    for (ErrorCause error : report.errors()) {
      if (error.kind() == FailureKind.STATUS) {
        continue; // It has a line in the table of statuses.
      }
      String phase = error.phase().isEmpty() ? "" : " while " + error.phase();
      String example = error.example().isEmpty() ? "" : ", such as: " + error.example();
      text.format(
          "  %,d %s%s: %s%s%n", error.count(), error.kind().label(), phase, error.cause(), example);
    }
  }

  private void generator(LoadReport report, int processes) {
    GeneratorCost cost = report.generator();
    if (cost != null && report.answered() > 0) {
      text.format(
          "%s used %.1f µs of CPU for each answer, %.0f%% of %d cores;"
              + " it stood still for %.0f ms at most%n",
          processes == 1 ? "this process" : "the " + processes + " processes",
          cost.cpu().toNanos() / 1e3 / report.answered(),
          cost.cpuShare() * 100,
          cost.cores(),
          cost.longestStall().toNanos() / 1e6);
    }
  }
}
