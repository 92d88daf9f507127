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
    assertTrue(limit.learn(5 * SECOND, 20 * SECOND));
    assertFalse(limit.learn(8 * SECOND, 40 * SECOND));
    assertEquals(9 * SECOND / 2, limit.nanos(20 * SECOND));
  }

  @Test
  void connectionsThatEndTogetherAfterUnlikeTimesTeachNothing() {
    assertTrue(limit.learn(40 * SECOND, 0));
    long restart = IdleLimit.DOUBLING_NANOS / 5;
    long known = limit.nanos(restart);
    for (int i = 0; i < 40; i++) {
      limit.learn(30 * SECOND - i * SECOND / 2, restart + i * SECOND / 10);
    }
    assertEquals(limit.nanos(restart), known);
    assertTrue(limit.learn(10 * SECOND, restart + 60 * SECOND), "what is learned later counts");
  }

  @Test
  void connectionsThatEndTogetherAfterLikeTimesTeachTheShortest() {
    for (int i = 0; i < 10; i++) {
      limit.learn(10 * SECOND - i * SECOND / 5, i * SECOND / 10);
    }
    assertEquals((10 * SECOND - 9 * SECOND / 5) * 9 / 10, limit.nanos(0));
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
