package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementTest {

  private static final CellInfo OPEN =
      new CellInfo("cell", "HTTP/1.1", false, 1, 1, "GET", "/", 6, LoadKind.OPEN, 1);

  @Test
  void failuresAndRemarksAreThoseOfAllRoundsEvenIfTheyDoNotCount() {
    Recording first = Recordings.of(1, 3);
    Recording second = Recordings.of(2, 3);
    Recording lost = Recordings.of(3, 3);
    RunFigures none = new RunFigures(Map.of(), Map.of());
    Measurement measurement = Medians.of(
        new CellInfo("cell", "HTTP/1.1", false, 1, 1, "GET", "/", 6, LoadKind.CLOSED, 1),
        "heddle",
        List.of(
            new Run(1, none, new Soundness.Valid(), first),
            new Run(2, none, new Soundness.Invalid(List.of("stolen")), lost),
            new Run(3, none, new Soundness.Noisy(List.of("loud")), second)));
    assertEquals(
        List.of(first, second),
        measurement.counted().stream().map(Run::recording).toList());
    assertEquals(
        List.of(15L, 6L),
        measurement.failures().stream().map(FailedRequests::count).toList());
    assertEquals(List.of("it was stopped"), measurement.remarks());
  }

  @ParameterizedTest
  @CsvSource({
    // answered of 1,500 a second, number of answers, whether it fell behind
    "1_413, 1_413, false",
    "1_413, 1_000_000, true",
    "1_200, 1_200, true",
  })
  void randomArrivalsVaryWithTheRootOfTheirNumber(String rate, String answered, boolean isBehind) {
    RunFigures figures = new RunFigures(
        Map.of(
            Figure.ASKED_RATE,
            1_500.0,
            Figure.RATE,
            Double.parseDouble(rate.replace("_", "")),
            Figure.ANSWERED,
            Double.parseDouble(answered.replace("_", ""))),
        Map.of());
    Run run = new Run(1, figures, new Soundness.Valid());
    Measurement found = Medians.of(OPEN, "other", List.of(run));
    assertEquals(isBehind, !found.findings().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    // rate, dropped, send lag in ms, whether it fell behind
    "100_000, 0, 1, false",
    "96_000, 0, 9, false",
    "94_000, 0, 1, true",
    "100_000, 5, 1, true",
    "100_000, 0, 11, true",
  })
  void clientThatFallsBehindHasAResult(String rate, long dropped, long lag, boolean isBehind) {
    RunFigures figures = new RunFigures(
        Map.of(
            Figure.ASKED_RATE,
            100_000.0,
            Figure.RATE,
            Double.parseDouble(rate.replace("_", "")),
            Figure.DROPPED,
            (double) dropped,
            Figure.SEND_LAG_P99,
            lag * 1e3,
            Figure.MEAN,
            812e3,
            Figure.MAX,
            1_503e3),
        Map.of());
    Measurement measurement = Medians.of(
        OPEN, "apache", List.of(new Run(1, figures, new Soundness.Valid(), Recordings.of(1, 3))));
    String said = String.join(";", measurement.findings());
    assertEquals(isBehind, !said.isEmpty(), said);
    assertEquals(isBehind, said.contains("after 812 ms and at most after 1,503 ms"), said);
  }

  @ParameterizedTest
  @CsvSource({"2, 3750", "15, 600", "50, 150"})
  void batchesOfDelayedAnswersHaveABestTime(double atOnce, String best) {
    RunFigures figures =
        new RunFigures(Map.of(Figure.SERVER_PEAK, atOnce, Figure.BATCH_MEAN, 5_000e3), Map.of());
    Measurement measurement = Medians.of(
        new CellInfo("cell", "HTTP/1.1", false, 50, 1, "GET", "/delay/150", 6, LoadKind.BATCH, 50),
        "apache",
        List.of(new Run(1, figures, new Soundness.Valid(), Recordings.of(1, 3))));
    String said = measurement.findings().getFirst().replace(",", "");
    assertTrue(said.endsWith(best + " ms"), said);
    assertTrue(said.contains("in 5000 ms"), said);
  }
}
