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
 * @param serving what serves it, where servers are compared; null for what serves the cell
 */
public record Entrant(
    String name,
    String client,
    Profile profile,
    Strand strand,
    List<String> jvmFlags,
    @Nullable Serving serving) {

  /** Keeps a copy of the list. */
  public Entrant {
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** A client on virtual threads, under its own name. */
  public static Entrant of(String client, Profile profile) {
    return new Entrant(client, client, profile, Strand.VIRTUAL, List.of(), null);
  }

  /** The same under another name, to be held against itself. */
  public Entrant named(String other) {
    return new Entrant(other, client, profile, strand, jvmFlags, serving);
  }
}
