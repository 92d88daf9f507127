package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Waiting for a connection of the pool, if none was available at once. */
@Name("heddle.Queue")
@Label("HTTP Pool Queue")
@Category({"Heddle", "Client"})
@Description("Waiting for a connection of the pool, if none was available at once.")
@StackTrace(false)
public final class QueueEvent extends AttemptPart {
  private static final QueueEvent PROBE = new QueueEvent();

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
