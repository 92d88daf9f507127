package heddle.client.pool;

import heddle.client.spi.PoolSnapshot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** One call gives the only connection back while another asks for it: no wake-up is lost. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "open, in flight, waiting: handed over")
@State
public class WaiterStress {
  private final StressedPool pool = new StressedPool();
  private final Lease lease = pool.acquire();

  /** The call that has the connection. */
  @Actor
  public void ends() {
    lease.release(true);
  }

  /** The call that waits for it; hangs if it is forgotten. */
  @Actor
  public void waits() {
    pool.acquire();
  }

  /** What the pool says in the end. */
  @Arbiter
  public void look(III_Result result) {
    PoolSnapshot.RouteSnapshot snapshot = pool.snapshot();
    result.r1 = snapshot.open();
    result.r2 = snapshot.inFlight();
    result.r3 = snapshot.pending();
  }
}
