package heddle.bench.report;

import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one cell.
 *
 * @param name of the cell
 * @param measurements one for each client
 * @param reference Heddle's, to which the others are compared; null when it did not take part
 */
record CellView(String name, List<Measurement> measurements, @Nullable Measurement reference) {

  private static final String REFERENCE = "heddle";

  static List<CellView> of(RaceResult result) {
    List<CellView> views = new ArrayList<>();
    for (String cell :
        result.results().stream().map(Measurement::cell).distinct().toList()) {
      List<Measurement> own =
          result.results().stream().filter(m -> m.cell().equals(cell)).toList();
      @Nullable
      Measurement reference =
          own.stream().filter(m -> m.client().equals(REFERENCE)).findFirst().orElse(null);
      views.add(new CellView(cell, own, reference));
    }
    return views;
  }
}
