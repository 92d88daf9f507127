package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Looking up a host. */
@Name("heddle.Resolve")
@Label("HTTP Host Lookup")
@Category({"Heddle", "Client"})
@Description("Looking up a host.")
@StackTrace(false)
public final class ResolveEvent extends AttemptPart {
  private static final ResolveEvent PROBE = new ResolveEvent();

  @Label("Host")
  public @Nullable String host;

  @Label("Addresses")
  public @Nullable String addresses;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
