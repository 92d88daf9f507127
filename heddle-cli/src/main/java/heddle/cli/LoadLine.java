package heddle.cli;

import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadProgress;
import java.util.Locale;

/** A live line of a load that several workers make: they tell how far they are, and no more. */
record LoadLine(Terminal terminal) implements LoadListener {

  @Override
  public void progress(LoadProgress progress) {
    terminal.live(String.format(
        Locale.ROOT,
        "%3.0f%%  %,d answered  %,.0f a second  %,d failed  %,d in flight  %.1f s",
        progress.fraction() * 100,
        progress.answered(),
        progress.requestsPerSecond(),
        progress.failed(),
        progress.inFlight(),
        progress.elapsed().toMillis() / 1e3));
  }

  @Override
  public void measured() {
    terminal.endLive();
  }
}
