package heddle.client.pool;

import heddle.client.spi.PoolSnapshot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads give the same lease back: it counts once. */
@JCStressTest
@Outcome(
    id = "1, 1, 0",
    expect = Expect.ACCEPTABLE,
    desc = "open, idle, in flight: given back once")
@State
public class LeaseStress {
  private final StressedPool pool = new StressedPool();
  private final Lease lease = pool.acquire();

  /** The end of the body. */
  @Actor
  public void bodyEnds() {
    lease.release(true);
  }

  /** The caller's close. */
  @Actor
  public void callerCloses() {
    lease.release(true);
  }

  /** What the pool says in the end. */
  @Arbiter
  public void look(III_Result result) {
    PoolSnapshot.RouteSnapshot snapshot = pool.snapshot();
    result.r1 = snapshot.open();
    result.r2 = snapshot.idle();
    result.r3 = snapshot.inFlight();
  }
}
