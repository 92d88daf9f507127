package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The state of a pool for one route, recorded periodically. */
@Name("heddle.Pool")
@Label("HTTP Pool")
@Category({"Heddle", "Client"})
@Description("The state of a pool for one route, recorded periodically.")
@Period("10 s")
@StackTrace(false)
public final class PoolEvent extends PoolState {
  /** These take no more calls, and do not count against the route's limit. */
  @Label("Connections Draining")
  public int draining;
}
