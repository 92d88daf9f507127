package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.load.record.Distribution;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest {

  @Test
  void roundsThatCountAreRecordedTogetherWithoutLossAndFailuresOfAll() {
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
    Recording together = measurement.recorded();
    assertEquals(
        Distribution.sum(List.of(first.response(), second.response())), together.response());
    assertEquals(1_000, together.response().count());
    assertEquals(1_000, together.service().count());
    assertEquals(1_200, together.sendLag().count());
    assertEquals(
        List.of(15L, 6L),
        together.failures().stream().map(FailedRequests::count).toList());
    assertEquals(List.of("it was stopped"), together.remarks());
    assertEquals(Series.NONE, together.series());
  }
}
