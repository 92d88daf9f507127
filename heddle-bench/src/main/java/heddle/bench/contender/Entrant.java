package heddle.bench.contender;

import heddle.bench.driver.Profile;
import heddle.bench.server.Serving;
import heddle.load.schedule.Strand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A participant of a race. The same client may take part in several configurations.
 *
 * @param name in reports
 * @param client the name of its driver, or of a load generator in C
 * @param profile its configuration
 * @param strand the kind of threads that call it, if it is a blocking client
 * @param jvmFlags of its JVM, in addition to the common ones
 * @param without the optimisations of Heddle that its build lacks; empty for this build as it is
 * @param cells labels of the cells in which it takes part; empty for all
 * @param serving the server that it uses, if servers are compared; null for the cell's server
 */
public record Entrant(
    String name,
    String client,
    Profile profile,
    Strand strand,
    List<String> jvmFlags,
    List<String> without,
    List<String> cells,
    @Nullable Serving serving) {

  /** Copies the lists. */
  public Entrant {
    jvmFlags = List.copyOf(jvmFlags);
    without = List.copyOf(without);
    cells = List.copyOf(cells);
  }

  /** A client on virtual threads, under its own name. */
  public static Entrant of(String client, Profile profile) {
    return new Entrant(
        client, client, profile, Strand.VIRTUAL, List.of(), List.of(), List.of(), null);
  }

  /** Whether it takes part in the cell with this label. */
  public boolean isIn(String cell) {
    return cells.isEmpty() || cells.contains(cell);
  }

  /** The same client under another name, to be compared with itself. */
  public Entrant named(String other) {
    return new Entrant(other, client, profile, strand, jvmFlags, without, cells, serving);
  }
}
