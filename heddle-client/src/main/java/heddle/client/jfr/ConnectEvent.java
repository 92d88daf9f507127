package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Opening a connection to the first of the addresses that answers. */
@Name("heddle.Connect")
@Label("HTTP Connect")
@Category({"Heddle", "Client"})
@Description("Opening a connection to the first of the addresses that answers.")
@StackTrace(false)
public final class ConnectEvent extends AttemptPart {
  private static final ConnectEvent PROBE = new ConnectEvent();

  @Label("Address")
  public @Nullable String address;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
