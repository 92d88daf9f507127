package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** One attempt of a call, to the head of the response. */
@Name("heddle.Attempt")
@Label("HTTP Attempt")
@Category({"Heddle", "Client"})
@Description("One attempt of a call, to the head of the response.")
@StackTrace(false)
public final class AttemptEvent extends AttemptPart {
  private static final AttemptEvent PROBE = new AttemptEvent();

  @Label("Method")
  public @Nullable String method;

  @Label("Path")
  public @Nullable String path;

  /** 0 if there was no response. */
  @Label("Status")
  public int status;

  @Label("Connection")
  public long connectionId;

  @Label("Connection Reused")
  public boolean reused;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
