package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleLimitTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final IdleLimit limit = new IdleLimit(55 * SECOND);

  @Test
  void theShortestIdleTimeThatEndedAConnectionCountsWithSlack() {
    assertEquals(55 * SECOND, limit.nanos(0));
    assertTrue(limit.learn(10 * SECOND, 0));
    assertEquals(9 * SECOND, limit.nanos(0));
    assertTrue(limit.learn(5 * SECOND, 0));
    assertFalse(limit.learn(8 * SECOND, 0));
    assertEquals(9 * SECOND / 2, limit.nanos(0));
  }

  @Test
  void whatWasLearnedIsDoubtedMoreAndMore() {
    limit.learn(5 * SECOND, 0);
    assertEquals(9 * SECOND, limit.nanos(IdleLimit.DOUBLING_NANOS));
    assertEquals(27 * SECOND / 2, limit.nanos(IdleLimit.DOUBLING_NANOS * 3 / 2));
    assertEquals(36 * SECOND, limit.nanos(3 * IdleLimit.DOUBLING_NANOS));
    assertEquals(55 * SECOND, limit.nanos(4 * IdleLimit.DOUBLING_NANOS));
    assertEquals(55 * SECOND, limit.nanos(Long.MAX_VALUE));
  }

  @Test
  void aConnectionThatHadHardlyBeenIdleTeachesNothing() {
    assertFalse(limit.learn(IdleLimit.LEAST_NANOS - 1, 0));
    assertFalse(limit.learn(-SECOND, 0));
    assertEquals(55 * SECOND, limit.nanos(0));
  }
}
