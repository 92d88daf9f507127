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

/** What a pool holds for one route, now and then. */
@Name("heddle.Pool")
@Label("HTTP Pool")
@Category({"Heddle", "Client"})
@Description("What a pool holds for one route, now and then.")
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

  /** They take no more calls, and the route's limit does not count them. */
  @Label("Connections Draining")
  public int draining;

  @Label("Calls Waiting")
  public int pending;

  @Label("Calls in Flight")
  public int inFlight;

  @Label("Calls in Flight Allowed")
  public int inFlightLimit;

  /** Calls a second, of late. */
  @Label("Arrival Rate")
  public double arrivalRate;

  /** Of late. */
  @Label("Mean Time in Use")
  @Timespan
  public long meanTimeInUse;

  /** By Little's law: the rate times the time. */
  @Label("Calls in Flight Needed")
  public int neededInFlight;
}
