package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A request and its response on a connection, to the end of the body. */
@Name("heddle.Exchange")
@Label("HTTP Exchange")
@Category({"Heddle", "Client"})
@Description("A request and its response on a connection, to the end of the body.")
@StackTrace(false)
public final class ExchangeEvent extends AttemptPart {
  private static final ExchangeEvent PROBE = new ExchangeEvent();

  /** 0 if there was no response. */
  @Label("Status")
  public int status;

  @Label("Connection")
  public long connectionId;

  @Label("Protocol")
  public @Nullable String protocol;

  @Label("Address")
  public @Nullable String address;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
