package heddle.bench.contender;

import heddle.bench.driver.Profile;
import heddle.bench.schedule.Strand;
import heddle.bench.server.Serving;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client as it takes part in a race. The same client may do so in several ways.
 *
 * @param name in reports
 * @param client the name of its driver, or of a load generator in C
 * @param profile how it is set up
 * @param strand what carries its requests, where it is a blocking one
 * @param jvmFlags of its JVM, beside those that all have
 * @param cells labels of those in which it takes part; empty for all
 * @param serving what serves it, where servers are compared; null for what serves the cell
 */
public record Entrant(
    String name,
    String client,
    Profile profile,
    Strand strand,
    List<String> jvmFlags,
    List<String> cells,
    @Nullable Serving serving) {

  /** Keeps copies of the lists. */
  public Entrant {
    jvmFlags = List.copyOf(jvmFlags);
    cells = List.copyOf(cells);
  }

  /** A client on virtual threads, under its own name. */
  public static Entrant of(String client, Profile profile) {
    return new Entrant(client, client, profile, Strand.VIRTUAL, List.of(), List.of(), null);
  }

  /** Whether it takes part in the cell with this label. */
  public boolean isIn(String cell) {
    return cells.isEmpty() || cells.contains(cell);
  }

  /** The same under another name, to be held against itself. */
  public Entrant named(String other) {
    return new Entrant(other, client, profile, strand, jvmFlags, cells, serving);
  }
}
