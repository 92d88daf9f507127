package heddle.cli.live;

import heddle.bench.race.Race;
import heddle.bench.race.RaceException;
import heddle.bench.result.RaceResult;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how much is told while a load or a race runs, and after it. */
public final class LiveOptions {

  @Option(names = "--no-tui", description = "No live view, even where a person watches.")
  private boolean noView;

  @Option(
      names = "--quiet",
      description = "No live view, and no more than the essential figures. It has no short form:"
          + " -q is the rate, as in hey and oha.")
  private boolean quiet;

  /** Whether only the essential is told. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Whether there is to be a live view, where a person watches. */
  private boolean isWatched(boolean interactive) {
    return interactive && !noView && !quiet;
  }

  /**
   * Runs a race that is told of: on a live view, or where there is none in a log, a line for each
   * run.
   *
   * @param err standard error
   * @param interactive whether a person watches it
   */
  public RaceResult watched(Race race, PrintStream err, boolean interactive)
      throws RaceException, InterruptedException {
    Screen screen = screen(err, interactive);
    boolean isLogged = screen == null && !quiet;
    RaceView view = new RaceView(isLogged ? err::println : _ -> {});
    try (var _ = Painter.start(screen, view)) {
      return race.run(view);
    }
  }

  /**
   * What a live view is drawn on; null where there is to be none.
   *
   * @param err standard error
   * @param interactive whether a person watches it
   */
  public @Nullable Screen screen(PrintStream err, boolean interactive) {
    return isWatched(interactive) ? Screen.open(err, System.getenv()) : null;
  }
}
