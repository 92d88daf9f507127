package heddle.cli.live;

import heddle.bench.race.RaceListener.Progress;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/** Renders a race as lines. */
final class RaceFrame {

  private static final int LONGEST_BAR = 40;
  private static final int BESIDE_THE_BAR = 40;

  private RaceFrame() {}

  /** The lines for a terminal of this width. */
  static List<AttributedString> lines(RaceMoment moment, Look look, int width) {
    List<Line> lines = new ArrayList<>();
    Progress progress = moment.progress();
    double fraction = (double) progress.done() / Math.max(1, progress.total());
    int columns = Math.clamp(width - BESIDE_THE_BAR, 10, LONGEST_BAR);
    lines.add(Line.of(look)
        .add(2, "heddle race", look.strong())
        .add(3, Graphic.bar(fraction, columns, look), look.good())
        .add(0, progress.done() + " of " + progress.total())
        .add(1, "about " + Amounts.span(progress.left()) + " left"));
    lines.add(Line.about("now", look).add(0, progress.doing(), look.strong()));
    for (RaceMoment.Finished each : moment.finished()) {
      lines.add(result(each, look));
    }
    if (moment.failed() > 0) {
      lines.add(Line.about("failed", look)
          .add(0, Integer.toString(moment.failed()), look.bad())
          .add(0, "last: " + moment.lastFailure()));
    }
    return lines.stream().map(line -> line.fit(width)).toList();
  }

  private static Line result(RaceMoment.Finished run, Look look) {
    RunFigures figures = run.figures();
    Line line = Line.about("", look).add(0, run.label());
    if (figures.of(Figure.RATE) != null) {
      line.add(1, Amounts.rate(figures.requestsPerSecond()));
    }
    Double p99 = figures.of(Figure.P99);
    if (p99 != null) {
      line.add(2, "p99 " + Amounts.latency(p99));
    }
    Double cpu = figures.of(Figure.CPU);
    if (cpu != null) {
      line.add(3, String.format(Locale.ROOT, "%.1f µs CPU", cpu));
    }
    long errors =
        figures.errorsByCause().values().stream().mapToLong(Long::longValue).sum();
    if (errors > 0) {
      line.add(0, Amounts.count(errors) + " failed", look.bad());
    }
    return run.soundness().equals("valid") ? line : line.add(0, run.soundness(), look.doubtful());
  }
}
