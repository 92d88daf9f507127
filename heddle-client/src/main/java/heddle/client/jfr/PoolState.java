package heddle.client.jfr;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** What the events of a pool have in common: its state for one route. */
public abstract class PoolState extends Event {
  @Label("Origin")
  public @Nullable String origin;

  @Label("Connections Open or Being Opened")
  public int open;

  @Label("Connections Idle")
  public int idle;

  @Label("Connections in Use")
  public int inUse;

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

  PoolState() {}
}
