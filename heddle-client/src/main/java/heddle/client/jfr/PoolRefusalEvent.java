package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The pool refused to give a call a connection: its state for the call's route. */
@Name("heddle.PoolRefusal")
@Label("HTTP Pool Refusal")
@Category({"Heddle", "Client"})
@Description("The pool refused to give a call a connection: its state for the call's route.")
@StackTrace(false)
public final class PoolRefusalEvent extends AttemptPart {
  private static final PoolRefusalEvent PROBE = new PoolRefusalEvent();

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

  /** Whether a recording wants these events. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }
}
