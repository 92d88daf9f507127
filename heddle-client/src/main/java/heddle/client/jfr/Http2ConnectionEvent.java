package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The life of an HTTP/2 connection, from when it was opened to when it was closed. */
@Name("heddle.Http2Connection")
@Label("HTTP/2 Connection")
@Category({"Heddle", "Client"})
@Description("The life of an HTTP/2 connection, from when it was opened to when it was closed.")
@StackTrace(false)
public final class Http2ConnectionEvent extends Event {
  private static final Http2ConnectionEvent PROBE = new Http2ConnectionEvent();

  @Label("Connection")
  public long connectionId;

  @Label("Origin")
  public @Nullable String origin;

  @Label("Address")
  public @Nullable String address;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
