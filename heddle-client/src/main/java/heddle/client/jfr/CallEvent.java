package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A call, from its beginning to the last byte of its response's body. */
@Name("heddle.Call")
@Label("HTTP Call")
@Category({"Heddle", "Client"})
@Description("A call, from its beginning to the last byte of its response's body.")
@StackTrace(false)
public final class CallEvent extends Event {
  private static final CallEvent PROBE = new CallEvent();

  /** The id in {@code heddle.client.spi.CallInfo}. */
  @Label("Call")
  public long callId;

  @Label("Method")
  public @Nullable String method;

  @Label("Origin")
  public @Nullable String origin;

  /** Without the query, which may hold private data. */
  @Label("Path")
  public @Nullable String path;

  @Label("Attempts")
  public int attempts;

  /** 0 if there was no response. */
  @Label("Status")
  public int status;

  @Label("Protocol")
  public @Nullable String protocol;

  @Label("Connection")
  public long connectionId;

  @Label("Connection Reused")
  public boolean reused;

  @Label("Request Sent")
  public @Nullable String sent;

  /** -1 if it is not known beforehand. */
  @Label("Content Sent")
  @DataAmount
  public long contentSent;

  @Label("Content Received")
  @DataAmount
  public long contentReceived;

  @Label("Time in Queue")
  @Timespan
  public long queue;

  @Label("Time Looking Up")
  @Timespan
  public long resolve;

  @Label("Time Connecting")
  @Timespan
  public long connect;

  @Label("Time in TLS Handshake")
  @Timespan
  public long tls;

  @Label("Time Sending")
  @Timespan
  public long send;

  @Label("Time Awaiting the Head")
  @Timespan
  public long awaitHead;

  @Label("Time Reading the Body")
  @Timespan
  public long readBody;

  @Label("Time Before Repeating")
  @Timespan
  public long backoff;

  /** The failure; null if there was none. */
  @Label("Failure")
  public @Nullable String failure;

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
