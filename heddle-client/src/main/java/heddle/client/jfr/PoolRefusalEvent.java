package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The pool refused a call a connection; the failure says what it held. */
@Name("heddle.PoolRefusal")
@Label("HTTP Pool Refusal")
@Category({"Heddle", "Client"})
@Description("The pool refused a call a connection; the failure says what it held.")
@StackTrace(false)
public final class PoolRefusalEvent extends AttemptPart {
  private static final PoolRefusalEvent PROBE = new PoolRefusalEvent();

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
