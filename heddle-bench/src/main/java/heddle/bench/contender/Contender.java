package heddle.bench.contender;

import heddle.bench.result.Outcome;
import heddle.bench.server.Serving;
import heddle.load.LoadPlan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A participant of a race. Used by one thread. */
public sealed interface Contender extends AutoCloseable permits JvmContender, ToolContender {

  String name();

  /** The server that it uses, if servers are compared; null for the cell's server. */
  default @Nullable Serving serving() {
    return null;
  }

  /**
   * Returns why it cannot run such a load, or null if it can.
   *
   * @param besideSlowReader whether the load also runs next to a slow reader
   */
  @Nullable
  String refusal(LoadPlan plan, boolean besideSlowReader) throws IOException, InterruptedException;

  /**
   * Runs a load.
   *
   * @param tick called several times a second
   * @throws IOException if there are no figures; the message says why
   */
  Outcome measure(LoadPlan plan, Runnable tick) throws IOException, InterruptedException;

  @Override
  void close();
}
