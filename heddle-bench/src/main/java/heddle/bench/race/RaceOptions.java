package heddle.bench.race;

import heddle.bench.driver.Profile;
import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.Target;
import heddle.bench.result.Method;
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
 * @param target a running server that is asked in place of the race's own; null for none
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
    @Nullable OtherBuild against,
    @Nullable Target target) {

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
   * Begins with all clients in the default cells, written to race.json and race.html in the working
   * directory.
   */
  public static Builder builder(Path home) {
    return new Builder(home);
  }

  /** The profile of clients in a race of cells. */
  Profile profileOfCells() {
    Profile asked = profile;
    return asked == null ? Profile.TUNED : asked;
  }

  /**
   * Whether the clients get AOT caches: only if they must be warm within the race's time, and are
   * measured often enough for a verdict.
   */
  boolean trains() {
    return experiment == null
        && scale == null
        && plan.method() == Method.WARM
        && plan.isControlled();
  }

  /** Builds options. Not safe for use by several threads at once. */
  public static final class Builder {
    private final Path home;
    private List<String> clients = List.of();
    private List<String> cells = List.of();
    private @Nullable Experiment experiment;
    private RacePlan plan = RacePlan.DEFAULT;
    private @Nullable Double scale;
    private @Nullable Profile profile;
    private RaceOutputs outputs = RaceOutputs.DEFAULT;
    private ServerCommand server = ServerCommand.HEDDLE;
    private Http2Server http2Server = Http2Server.AUTO;
    private @Nullable OtherBuild against;
    private @Nullable Target target;

    private Builder(Path home) {
      this.home = home;
    }

    /** The names of the clients to race; empty for all. */
    public Builder clients(List<String> names) {
      clients = names;
      return this;
    }

    /** The names of the cells, or {@code all}; empty for the default ones. */
    public Builder cells(List<String> names) {
      cells = names;
      return this;
    }

    /** A named experiment instead of cells. */
    public Builder experiment(@Nullable Experiment experiment) {
      this.experiment = experiment;
      return this;
    }

    /** How the clients are compared. */
    public Builder plan(RacePlan plan) {
      this.plan = plan;
      return this;
    }

    /** The share of the published size; null for what fits into the time. */
    public Builder scale(@Nullable Double scale) {
      this.scale = scale;
      return this;
    }

    /** The profile of the clients; null for the usual one. */
    public Builder profile(@Nullable Profile profile) {
      this.profile = profile;
      return this;
    }

    /** Where the result is written. */
    public Builder outputs(RaceOutputs outputs) {
      this.outputs = outputs;
      return this;
    }

    /** The server of all clients. */
    public Builder server(ServerCommand server) {
      this.server = server;
      return this;
    }

    /** Which server answers over HTTP/2. */
    public Builder http2Server(Http2Server http2Server) {
      this.http2Server = http2Server;
      return this;
    }

    /** Another build of Heddle, which races in place of other clients. */
    public Builder against(@Nullable OtherBuild against) {
      this.against = against;
      return this;
    }

    /** A running server that is asked in place of the race's own. */
    public Builder target(@Nullable Target target) {
      this.target = target;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public RaceOptions build() {
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
          against,
          target);
    }
  }
}
