package heddle.cli;

import heddle.bench.crew.MemberLine;
import heddle.bench.crew.Orders;
import heddle.bench.load.Load;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A load that another process of this machine has started, and tells when to begin and to stop. */
final class LoadMember implements LoadListener {

  private final Terminal terminal;

  LoadMember(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Says that everything is open, waits for the time to begin, and obeys from then on. */
  Instant awaitStart(Load load) throws IOException {
    say(MemberLine.READY);
    Orders orders = new Orders(terminal.in());
    Instant begin = orders.awaitStart();
    // Nobody would read the result, and nobody else would end it.
    orders.follow(load::stop, () -> Runtime.getRuntime().halt(1));
    return begin;
  }

  /** Says how far the load is. */
  @Override
  public void progress(LoadProgress progress) {
    try {
      say(MemberLine.of(progress));
    } catch (IOException e) {
      throw new UncheckedIOException("the process that has started this one does not listen", e);
    }
  }

  private void say(String line) throws IOException {
    terminal.out().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
  }
}
