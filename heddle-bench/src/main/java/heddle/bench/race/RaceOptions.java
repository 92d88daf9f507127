package heddle.bench.race;

import heddle.bench.driver.Profile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to race and where to write the result.
 *
 * @param home the root of the checkout, below which the built drivers are found
 * @param clients which clients, by name; empty for all
 * @param cells which cells, by name; empty for all
 * @param rounds how often each client runs in each closed cell; at least 1
 * @param scale the share of the published size: 1 is the full one; null for as long as fits into
 *     {@link Race#BUDGET}
 * @param profile how clients are set up
 * @param json where the result is written as JSON
 * @param html where the result is written as a page
 * @param server what all clients ask
 * @param seed of the order in which clients run
 */
public record RaceOptions(
    Path home,
    List<String> clients,
    List<String> cells,
    int rounds,
    @Nullable Double scale,
    Profile profile,
    Path json,
    Path html,
    ServerCommand server,
    long seed) {

  /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
  public RaceOptions {
    clients = List.copyOf(clients);
    cells = List.copyOf(cells);
    if (rounds < 1 || rounds > 100) {
      throw new IllegalArgumentException("rounds must be 1 to 100, not " + rounds);
    }
    if (scale != null && !(scale > 0 && scale <= 10)) {
      throw new IllegalArgumentException("the scale must be above 0 and at most 10, not " + scale);
    }
  }

  /**
   * All clients once in all cells, written to race.json and race.html in the working directory. Two
   * minutes are enough to get each JVM warm once; measured cold twice, a client would be measured
   * wrongly twice.
   */
  public static RaceOptions defaults(Path home) {
    return new RaceOptions(
        home,
        List.of(),
        List.of(),
        1,
        null,
        Profile.TUNED,
        Path.of("race.json"),
        Path.of("race.html"),
        ServerCommand.HEDDLE,
        1);
  }

  /** These options with other clients. */
  public RaceOptions withClients(List<String> names) {
    return new RaceOptions(home, names, cells, rounds, scale, profile, json, html, server, seed);
  }

  /** These options with other cells. */
  public RaceOptions withCells(List<String> names) {
    return new RaceOptions(home, clients, names, rounds, scale, profile, json, html, server, seed);
  }

  /** These options with another number of rounds. */
  public RaceOptions withRounds(int number) {
    return new RaceOptions(home, clients, cells, number, scale, profile, json, html, server, seed);
  }

  /** These options at another scale. */
  public RaceOptions withScale(@Nullable Double share) {
    return new RaceOptions(home, clients, cells, rounds, share, profile, json, html, server, seed);
  }

  /** These options with clients set up otherwise. */
  public RaceOptions withProfile(Profile other) {
    return new RaceOptions(home, clients, cells, rounds, scale, other, json, html, server, seed);
  }

  /** These options with the JSON written elsewhere. */
  public RaceOptions withJson(Path file) {
    return new RaceOptions(home, clients, cells, rounds, scale, profile, file, html, server, seed);
  }

  /** These options with the page written elsewhere. */
  public RaceOptions withHtml(Path file) {
    return new RaceOptions(home, clients, cells, rounds, scale, profile, json, file, server, seed);
  }

  /** These options against another server. */
  public RaceOptions withServer(ServerCommand command) {
    return new RaceOptions(home, clients, cells, rounds, scale, profile, json, html, command, seed);
  }
}
