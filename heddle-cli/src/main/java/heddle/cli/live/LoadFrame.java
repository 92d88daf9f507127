package heddle.cli.live;

import heddle.cli.live.LoadMoment.Phase;
import heddle.load.ErrorCause;
import heddle.load.record.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/** Renders a load as lines. */
final class LoadFrame {

  private static final int LONGEST_BAR = 40;
  private static final int BESIDE_THE_BAR = 30;
  private static final int SPARKS = 30;
  private static final int CAUSES = 4;

  private final LoadTitle title;
  private final LoadMoment moment;
  private final Look look;
  private final List<Line> lines = new ArrayList<>();

  private LoadFrame(LoadTitle title, LoadMoment moment, Look look) {
    this.title = title;
    this.moment = moment;
    this.look = look;
  }

  /** The lines for a terminal of this width. */
  static List<AttributedString> lines(LoadTitle title, LoadMoment moment, Look look, int width) {
    LoadFrame frame = new LoadFrame(title, moment, look);
    frame.title();
    frame.progress(width);
    if (moment.phase() != Phase.WARMING_UP) {
      frame.figures();
    }
    return frame.lines.stream().map(line -> line.fit(width)).toList();
  }

  private Line line(String name) {
    Line line = Line.about(name, look);
    lines.add(line);
    return line;
  }

  private void title() {
    lines.add(Line.of(look)
        .add(2, "heddle load", look.strong())
        .add(0, title.target(), look.strong())
        .add(3, title.protocol())
        .add(1, title.pace())
        .add(2, title.extent()));
  }

  private void progress(int width) {
    if (moment.phase() == Phase.WARMING_UP) {
      lines.add(Line.of(look).add(0, "warming up: nothing counts yet", look.faint()));
      return;
    }
    int columns = Math.clamp(width - BESIDE_THE_BAR, 10, LONGEST_BAR);
    lines.add(Line.of(look)
        .add(1, Graphic.bar(moment.fraction(), columns, look), look.good())
        .add(0, String.format(Locale.ROOT, "%3.0f%%", Math.floor(moment.fraction() * 100)))
        .add(2, Amounts.span(moment.elapsed()))
        .add(
            0, moment.phase() == Phase.FINISHING ? "waiting for the last answers" : moment.left()));
  }

  private void figures() {
    line("rate")
        .add(0, String.format(Locale.ROOT, "%10s", Amounts.rate(moment.rate())), look.strong())
        .add(2, Graphic.sparkline(moment.rates(), SPARKS, look), look.good())
        .add(1, Amounts.count(moment.answered()) + " answered");
    if (!moment.window().isZero()) {
      latency("last " + Math.max(1, moment.window().toSeconds()) + " s", moment.recent());
      latency("in all", moment.whole());
    }
    Line inFlight = line("in flight").add(0, Amounts.count(moment.inFlight()));
    if (moment.sendLag().max() > 0) {
      inFlight.add(1, "sent late p99 " + Amounts.latency(moment.sendLag().p99()));
    }
    if (moment.dropped() > 0) {
      inFlight.add(0, Amounts.count(moment.dropped()) + " dropped", look.bad());
    }
    if (moment.failed() > 0) {
      failures();
    }
    for (String doubt : moment.doubts()) {
      line("WARNING").add(0, "falls behind: " + doubt, look.doubtful());
    }
    if (!moment.note().isEmpty()) {
      line("NOTE").add(0, moment.note());
    }
  }

  private void latency(String name, Latency latency) {
    if (latency.max() == 0) {
      line(name).add(0, "no answer", look.faint());
      return;
    }
    line(name)
        .add(1, "p50 " + padded(latency.p50()))
        .add(0, "p99 " + padded(latency.p99()), look.strong())
        .add(2, "max " + padded(latency.max()));
  }

  private static String padded(double micros) {
    return String.format(Locale.ROOT, "%7s", Amounts.latency(micros));
  }

  private void failures() {
    Line line = line("failed").add(0, Amounts.count(moment.failed()), look.bad());
    int rank = 0;
    for (ErrorCause error : moment.errors().stream().limit(CAUSES).toList()) {
      String phase = error.phase().isEmpty() ? "" : " while " + error.phase();
      line.add(
          rank++,
          Amounts.count(error.count()) + " " + error.kind().label() + phase + ": " + error.cause());
    }
  }
}
