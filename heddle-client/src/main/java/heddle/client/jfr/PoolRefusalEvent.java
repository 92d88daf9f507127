package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The pool refused to give a call a connection: its state for the call's route. */
@Name("heddle.PoolRefusal")
@Label("HTTP Pool Refusal")
@Category({"Heddle", "Client"})
@Description("The pool refused to give a call a connection: its state for the call's route.")
@StackTrace(false)
public final class PoolRefusalEvent extends PoolState {
  private static final PoolRefusalEvent PROBE = new PoolRefusalEvent();

  /** The id in {@code heddle.client.spi.CallInfo}. */
  @Label("Call")
  public long callId;

  /** 1 for the first. */
  @Label("Attempt")
  public int attempt;

  @Label("Failure")
  public @Nullable String failure;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
