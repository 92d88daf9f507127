package heddle.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a named experiment.
 *
 * @param name its name on the command line, such as {@code paced-1k}
 * @param title a short title
 * @param shows what it shows, in a paragraph
 * @param scale the share of the published size at which it ran
 * @param then published figures of the same experiment on other machines; may be empty
 * @param chart what its image shows; null for no image
 */
public record Story(
    String name, String title, String shows, double scale, List<Then> then, @Nullable Chart chart) {

  /** Copies the list. */
  public Story {
    then = List.copyOf(then);
  }

  /**
   * The figure that answers the question.
   *
   * @param figure of each client
   * @param cells the names of the cells to show; empty for all
   */
  public record Chart(Figure figure, List<String> cells) {

    /** Copies the list. */
    public Chart {
      cells = List.copyOf(cells);
    }

    /** Whether this cell is shown. */
    public boolean shows(CellInfo cell) {
      return cells.isEmpty() || cells.contains(cell.name());
    }
  }

  /**
   * A published figure.
   *
   * @param who such as {@code Apache, a platform thread for each request}
   * @param what such as {@code time, maximum and average}
   * @param value with its unit, such as {@code 7139 and 2359 ms}
   */
  public record Then(String who, String what, String value) {}
}
