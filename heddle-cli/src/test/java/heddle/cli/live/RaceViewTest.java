package heddle.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.race.RaceListener.Progress;
import heddle.bench.result.Figure;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class RaceViewTest {

  private final List<String> log = new ArrayList<>();
  private final RaceView view = new RaceView(log::add);

  private String frame(int width) {
    return view.lines(new Look(false, true), width).stream()
        .map(AttributedString::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static Run run(double rate, Map<String, Long> errors, Soundness soundness) {
    return new Run(
        1,
        new RunFigures(Map.of(Figure.RATE, rate, Figure.P99, 4_510.0, Figure.CPU, 12.34), errors),
        soundness);
  }

  private void race() {
    view.progress(new Progress("h1-64 heddle, round 1 of 2", 3, 12, Duration.ofSeconds(130)));
    view.finished("h1-64 heddle, round 1", run(41_234, Map.of(), new Soundness.Valid()));
    view.finished(
        "h1-64 jdk, round 1",
        run(9_876, Map.of("ConnectException", 3L), new Soundness.Invalid(List.of("lag"))));
    view.progress(new Progress("h1-64 okhttp, round 1 of 2", 5, 12, Duration.ofSeconds(110)));
    view.progress(new Progress("h1-64 okhttp, round 1 of 2", 5, 12, Duration.ofSeconds(109)));
    view.failed("h1-64 jdk, round 1: some requests failed");
  }

  @Test
  void raceShowsWhatRunsNowWhatIsOverAndWhatFailed() {
    race();
    assertEquals(
        """
        heddle race   ━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌   5 of 12   about 1 min 49 s left
        now         h1-64 okhttp, round 1 of 2
                    h1-64 heddle, round 1   41,234/s   p99 4.51 ms   12.3 µs CPU
                    h1-64 jdk, round 1   9,876/s   p99 4.51 ms   12.3 µs CPU   3 failed   invalid
        failed      1   last: h1-64 jdk, round 1: some requests failed
        """,
        frame(100));
    assertEquals(
        """
        5 of 12   about 1 min 49 s left
        now         h1-64 okhttp, round 1 of 2
                    h1-64 heddle, round 1
                    h1-64 jdk, round 1   3 failed…
        failed      1   last: h1-64 jdk, round 1:…
        """,
        frame(42));
  }

  @Test
  void onlyTheLastResultsAreShown() {
    for (int round = 1; round <= 9; round++) {
      view.finished("run " + round, run(round, Map.of(), new Soundness.Valid()));
    }
    assertTrue(frame(80).contains("run 5 ") && !frame(80).contains("run 4 "), frame(80));
  }

  @Test
  void logGetsALineForEachRunThatBegins() {
    race();
    assertEquals(
        List.of(
            "[3/12] h1-64 heddle, round 1 of 2, about 2 min 10 s left",
            "[5/12] h1-64 okhttp, round 1 of 2, about 1 min 50 s left"),
        log);
  }
}
