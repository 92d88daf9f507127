package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Getting a connection of the pool, where none is there at once. */
@Name("heddle.Queue")
@Label("HTTP Pool Queue")
@Category({"Heddle", "Client"})
@Description("Getting a connection of the pool, where none is there at once.")
@StackTrace(false)
public final class QueueEvent extends AttemptPart {
  private static final QueueEvent PROBE = new QueueEvent();

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
