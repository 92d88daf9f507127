package heddle.bench.race;

import heddle.bench.result.RaceResult;
import java.time.Duration;

/**
 * Clients under the same load, each in a JVM of its own, in interleaved rounds.
 *
 * <pre>{@code
 * Race race = new Race(RaceOptions.defaults(home).withRounds(1));
 * RaceResult result = race.run(progress -> System.err.println(progress.doing()));
 * System.out.print(TableReport.render(result));
 * }</pre>
 */
public final class Race {

  /** How long a race may take when no scale is asked for. */
  public static final Duration BUDGET = Duration.ofSeconds(110);

  private final RaceOptions options;

  /** A race that has not begun. */
  public Race(RaceOptions options) {
    this.options = options;
  }

  /**
   * Runs the race and writes the JSON and the page.
   *
   * @throws RaceException when a client, a cell or the server cannot be found or does not start
   * @throws InterruptedException when the thread is interrupted; every process is then ended
   */
  public RaceResult run(RaceListener listener) throws RaceException, InterruptedException {
    listener.progress(new RaceListener.Progress("start", 0, 0, BUDGET));
    throw new RaceException("the race follows: " + options.home());
  }
}
