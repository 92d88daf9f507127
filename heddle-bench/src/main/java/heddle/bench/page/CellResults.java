package heddle.bench.page;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one cell.
 *
 * @param info the description of the cell
 * @param clients the measurements, without the control
 * @param control the measurement of the control; null if there was none
 * @param design the options of the race
 * @param uncounted the name of a server that does not count; null if the server counted
 */
record CellResults(
    CellInfo info,
    List<Measurement> clients,
    @Nullable Measurement control,
    Design design,
    @Nullable String uncounted) {

  /** All cells of a race, in its order. */
  static List<CellResults> of(RaceResult result) {
    Design design = result.environment().design();
    List<CellResults> all = new ArrayList<>();
    for (CellInfo cell :
        result.results().stream().map(Measurement::cell).distinct().toList()) {
      List<Measurement> own =
          result.results().stream().filter(each -> each.cell().equals(cell)).toList();
      all.add(new CellResults(
          cell,
          own.stream().filter(each -> !each.client().equals(design.control())).toList(),
          own.stream()
              .filter(each -> each.client().equals(design.control()))
              .findFirst()
              .orElse(null),
          design,
          result.uncounted(cell)));
    }
    return all;
  }

  /** The clients that are compared by the figure, without the baseline. */
  List<Measurement> compared(Figure figure) {
    return clients.stream().filter(each -> each.effect(figure) != null).toList();
  }

  /** The figures by which any client is compared here. */
  List<Figure> comparedFigures() {
    return Arrays.stream(Figure.values())
        .filter(figure -> !compared(figure).isEmpty())
        .toList();
  }

  /** The figures that any client has here. */
  List<Figure> figures() {
    return Arrays.stream(Figure.values())
        .filter(figure -> clients.stream().anyMatch(each -> each.of(figure) != null))
        .toList();
  }

  /** The effects of the clients by the figure. */
  List<Effect> effects(Figure figure) {
    return clients.stream()
        .map(each -> each.effect(figure))
        .filter(Objects::nonNull)
        .toList();
  }

  boolean isBaseline(Measurement measurement) {
    return measurement.client().equals(design.baseline());
  }

  /** The request and the connections: {@code GET /hello, 4 connections with 64 streams each}. */
  String description() {
    return info.method() + " " + info.path() + ", " + info.wiring();
  }

  /** Whether it is one of Heddle's clients, which have their own colour. */
  static boolean isOurs(String client) {
    return client.startsWith("heddle");
  }
}
