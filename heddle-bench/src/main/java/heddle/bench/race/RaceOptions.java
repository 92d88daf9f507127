package heddle.bench.race;

import heddle.bench.driver.Profile;
import heddle.bench.server.Http2Server;
import heddle.bench.server.ServerCommand;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to race and where to write the result.
 *
 * @param home the root of the checkout, below which the built drivers are found
 * @param clients which clients, by name; empty for all
 * @param cells which cells, by name, or {@code all}; empty for the default ones
 * @param rounds how often each client runs in each closed cell; at least 1
 * @param scale the share of the published size: 1 is the full one; null for as long as fits into
 *     {@link Race#BUDGET}
 * @param profile how clients are set up
 * @param json where the result is written as JSON
 * @param html where the result is written as a page
 * @param server what all clients ask
 * @param http2Server which server answers over HTTP/2
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
    Http2Server http2Server,
    long seed) {

  private static final int DEFAULT_ROUNDS = 1;

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
   * All clients in the cells that are raced by default, written to race.json and race.html in the
   * working directory.
   */
  public static RaceOptions defaults(Path home) {
    return new RaceOptions(
        home,
        List.of(),
        List.of(),
        DEFAULT_ROUNDS,
        null,
        Profile.TUNED,
        Path.of("race.json"),
        Path.of("race.html"),
        ServerCommand.HEDDLE,
        Http2Server.AUTO,
        1);
  }

  /** These options with other clients. */
  public RaceOptions withClients(List<String> names) {
    return new RaceOptions(
        home, names, cells, rounds, scale, profile, json, html, server, http2Server, seed);
  }

  /** These options with other cells. */
  public RaceOptions withCells(List<String> names) {
    return new RaceOptions(
        home, clients, names, rounds, scale, profile, json, html, server, http2Server, seed);
  }

  /** These options with another number of rounds. */
  public RaceOptions withRounds(int number) {
    return new RaceOptions(
        home, clients, cells, number, scale, profile, json, html, server, http2Server, seed);
  }

  /** These options at another scale. */
  public RaceOptions withScale(@Nullable Double share) {
    return new RaceOptions(
        home, clients, cells, rounds, share, profile, json, html, server, http2Server, seed);
  }

  /** These options with clients set up otherwise. */
  public RaceOptions withProfile(Profile other) {
    return new RaceOptions(
        home, clients, cells, rounds, scale, other, json, html, server, http2Server, seed);
  }

  /** These options with the JSON written elsewhere. */
  public RaceOptions withJson(Path file) {
    return new RaceOptions(
        home, clients, cells, rounds, scale, profile, file, html, server, http2Server, seed);
  }

  /** These options with the page written elsewhere. */
  public RaceOptions withHtml(Path file) {
    return new RaceOptions(
        home, clients, cells, rounds, scale, profile, json, file, server, http2Server, seed);
  }

  /** These options against another server. */
  public RaceOptions withServer(ServerCommand command) {
    return new RaceOptions(
        home, clients, cells, rounds, scale, profile, json, html, command, http2Server, seed);
  }

  /** These options with another server over HTTP/2. */
  public RaceOptions withHttp2Server(Http2Server other) {
    return new RaceOptions(
        home, clients, cells, rounds, scale, profile, json, html, server, other, seed);
  }
}
