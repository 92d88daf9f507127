package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The state of a pool for one route, recorded periodically. */
@Name("heddle.Pool")
@Label("HTTP Pool")
@Category({"Heddle", "Client"})
@Description("The state of a pool for one route, recorded periodically.")
@Period("10 s")
@StackTrace(false)
public final class PoolEvent extends Event {
  @Label("Origin")
  public @Nullable String origin;

  @Label("Connections Open or Being Opened")
  public int open;

  @Label("Connections Idle")
  public int idle;

  @Label("Connections in Use")
  public int inUse;

  /** These take no more calls, and do not count against the route's limit. */
  @Label("Connections Draining")
  public int draining;

  @Label("Calls Waiting")
  public int pending;

  @Label("Calls in Flight")
  public int inFlight;

  @Label("Calls in Flight Allowed")
  public int inFlightLimit;

  /** Recent calls per second. */
  @Label("Arrival Rate")
  public double arrivalRate;

  /** Of recent calls. */
  @Label("Mean Time in Use")
  @Timespan
  public long meanTimeInUse;

  /** By Little's law: the rate times the time. */
  @Label("Calls in Flight Needed")
  public int neededInFlight;
}
