package heddle.bench.contender;

import heddle.bench.load.LoadPlan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Who takes part in a race. Used by one thread. */
public sealed interface Contender extends AutoCloseable permits JvmContender, ToolContender {

  String name();

  /**
   * Why it cannot be put under such a load; null where it can.
   *
   * @param besideSlowReader whether also beside one that reads slowly
   */
  @Nullable
  String refusal(LoadPlan plan, boolean besideSlowReader) throws IOException, InterruptedException;

  /**
   * Runs a load.
   *
   * @param tick called several times a second
   * @throws IOException when there are no figures; the message says why
   */
  Outcome measure(LoadPlan plan, Runnable tick) throws IOException, InterruptedException;

  @Override
  void close();
}
