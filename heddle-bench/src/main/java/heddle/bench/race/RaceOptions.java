package heddle.bench.race;

import heddle.bench.driver.Profile;
import heddle.bench.experiment.Experiment;
import heddle.bench.server.Http2Server;
import heddle.bench.server.ServerCommand;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to race and where to write the result.
 *
 * @param home the root of the checkout, below which the built drivers are found
 * @param clients the names of the clients; empty for all
 * @param cells the names of the cells, or {@code all}; empty for the default ones
 * @param experiment a named experiment; null for a race of cells
 * @param plan how the clients are compared
 * @param scale the share of the published size: 1 is the full one; null for what fits into {@link
 *     Race#BUDGET}, or {@value #FRESH_SCALE} if each run has its own JVM
 * @param profile the profile of the clients; null for tuned, and in experiments for all their
 *     profiles
 * @param outputs where the result is written
 * @param server the server of all clients
 * @param http2Server which server answers over HTTP/2
 * @param against another build of Heddle, which races in place of other clients; null for none
 */
public record RaceOptions(
    Path home,
    List<String> clients,
    List<String> cells,
    @Nullable Experiment experiment,
    RacePlan plan,
    @Nullable Double scale,
    @Nullable Profile profile,
    RaceOutputs outputs,
    ServerCommand server,
    Http2Server http2Server,
    @Nullable OtherBuild against) {

  /** The scale for a JVM per run, long enough to get warm. */
  static final double FRESH_SCALE = 0.2;

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public RaceOptions {
    clients = List.copyOf(clients);
    cells = List.copyOf(cells);
    if (scale != null && !(scale > 0 && scale <= 10)) {
      throw new IllegalArgumentException("the scale must be above 0 and at most 10, not " + scale);
    }
  }

  /**
   * Options for all clients in the default cells, written to race.json and race.html in the working
   * directory.
   */
  public static RaceOptions defaults(Path home) {
    return new RaceOptions(
        home,
        List.of(),
        List.of(),
        null,
        RacePlan.DEFAULT,
        null,
        null,
        RaceOutputs.DEFAULT,
        ServerCommand.HEDDLE,
        Http2Server.AUTO,
        null);
  }

  /** The profile of clients in a race of cells. */
  Profile profileOfCells() {
    Profile asked = profile;
    return asked == null ? Profile.TUNED : asked;
  }

  /** These options with other clients. */
  public RaceOptions withClients(List<String> names) {
    return new RaceOptions(
        home,
        names,
        cells,
        experiment,
        plan,
        scale,
        profile,
        outputs,
        server,
        http2Server,
        against);
  }

  /** These options with other cells. */
  public RaceOptions withCells(List<String> names) {
    return new RaceOptions(
        home,
        clients,
        names,
        experiment,
        plan,
        scale,
        profile,
        outputs,
        server,
        http2Server,
        against);
  }

  /** These options for a named experiment. */
  public RaceOptions withExperiment(Experiment named) {
    return new RaceOptions(
        home, clients, cells, named, plan, scale, profile, outputs, server, http2Server, against);
  }

  /** These options with another plan. */
  public RaceOptions withPlan(RacePlan other) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        other,
        scale,
        profile,
        outputs,
        server,
        http2Server,
        against);
  }

  /** These options at another scale. */
  public RaceOptions withScale(@Nullable Double share) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        plan,
        share,
        profile,
        outputs,
        server,
        http2Server,
        against);
  }

  /** These options with another profile. */
  public RaceOptions withProfile(Profile other) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        plan,
        scale,
        other,
        outputs,
        server,
        http2Server,
        against);
  }

  /** These options with other outputs. */
  public RaceOptions withOutputs(RaceOutputs other) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        plan,
        scale,
        profile,
        other,
        server,
        http2Server,
        against);
  }

  /** These options with another server. */
  public RaceOptions withServer(ServerCommand command) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        plan,
        scale,
        profile,
        outputs,
        command,
        http2Server,
        against);
  }

  /** These options with another server over HTTP/2. */
  public RaceOptions withHttp2Server(Http2Server other) {
    return new RaceOptions(
        home, clients, cells, experiment, plan, scale, profile, outputs, server, other, against);
  }

  /** These options for a race of this build of Heddle against another one only. */
  public RaceOptions withAgainst(OtherBuild other) {
    return new RaceOptions(
        home,
        clients,
        cells,
        experiment,
        plan,
        scale,
        profile,
        outputs,
        server,
        http2Server,
        other);
  }
}
