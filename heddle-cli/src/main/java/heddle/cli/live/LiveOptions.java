package heddle.cli.live;

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
  public boolean isWatched(boolean interactive) {
    return interactive && !noView && !quiet;
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
