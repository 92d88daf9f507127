package heddle.cli.live;

import heddle.bench.race.Race;
import heddle.bench.race.RaceException;
import heddle.bench.result.RaceResult;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the output during and after a load or a race. */
public final class LiveOptions {

  @Option(names = "--no-tui", description = "No live view, even on a terminal.")
  private boolean noView;

  @Option(
      names = "--quiet",
      description = "No live view, and only the essential figures. It has no short form:"
          + " -q is the rate, as in hey and oha.")
  private boolean quiet;

  /** Whether to print only the essential figures. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Whether to show a live view on a terminal. */
  private boolean isWatched(boolean interactive) {
    return interactive && !noView && !quiet;
  }

  /**
   * Runs a race with a live view, or otherwise with a log of one line per run.
   *
   * @param err standard error
   * @param interactive whether it is a terminal
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
   * The screen of the live view; null if there is no live view.
   *
   * @param err standard error
   * @param interactive whether it is a terminal
   */
  public @Nullable Screen screen(PrintStream err, boolean interactive) {
    return isWatched(interactive) ? Screen.open(err, System.getenv()) : null;
  }
}
