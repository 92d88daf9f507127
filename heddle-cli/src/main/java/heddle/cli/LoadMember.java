package heddle.cli;

import heddle.load.Load;
import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import heddle.load.cluster.crew.MemberLine;
import heddle.load.cluster.crew.Orders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A load that another process of this machine has started and controls. */
final class LoadMember implements LoadListener {

  private final Terminal terminal;

  LoadMember(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Reports that everything is open, waits for the order to start, and follows orders from then on.
   */
  Instant awaitStart(Load load) throws IOException {
    say(MemberLine.READY);
    Orders orders = new Orders(terminal.in());
    Instant begin = orders.awaitStart();
    // Without a parent process the load would have no reader and would not be stopped.
    orders.follow(load::stop, () -> Runtime.getRuntime().halt(1));
    return begin;
  }

  /** Reports the progress of the load. */
  @Override
  public void progress(LoadProgress progress) {
    try {
      say(MemberLine.of(progress));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to the process that started this one", e);
    }
  }

  private void say(String line) throws IOException {
    terminal.out().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
  }
}
