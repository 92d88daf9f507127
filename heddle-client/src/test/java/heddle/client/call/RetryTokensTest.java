package heddle.client.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.call.Retries.RetryTokens;
import heddle.client.settings.RetryBudget;
import org.junit.jupiter.api.Test;

/** How a route's budget fills and empties. */
class RetryTokensTest {
  private static final long SECOND = 1_000_000_000L;

  private static int takeAll(RetryTokens tokens, long now, double requestsPerSecond) {
    int taken = 0;
    while (tokens.take(now, requestsPerSecond)) {
      taken++;
    }
    return taken;
  }

  @Test
  void aNewBucketHoldsWhatTenSecondsBring() {
    assertEquals(50, takeAll(new RetryTokens(new RetryBudget(0, 5)), 0, 1_000));
    assertEquals(1_050, takeAll(new RetryTokens(new RetryBudget(0.1, 5)), 0, 1_000));
  }

  @Test
  void aBucketFillsWithTimeAndNoFurtherThanItsBound() {
    RetryTokens tokens = new RetryTokens(new RetryBudget(0, 5));
    takeAll(tokens, 0, 0);
    assertFalse(tokens.take(SECOND / 10, 0));
    assertEquals(5, takeAll(tokens, SECOND, 0));
    assertEquals(50, takeAll(tokens, 1_000 * SECOND, 0));
  }

  @Test
  void repetitionsAreAShareOfTheRequestsInTheLongRun() {
    RetryTokens tokens = new RetryTokens(new RetryBudget(0.1, 0));
    int taken = 0;
    for (int tenth = 0; tenth < 1_000; tenth++) {
      taken += takeAll(tokens, tenth * (SECOND / 10), 200);
    }
    // 100 seconds with 200 requests each, and what ten seconds bring to begin with.
    assertEquals(2_200, taken, 25);
  }

  @Test
  void aBudgetOfNothingAllowsNothing() {
    assertFalse(new RetryTokens(new RetryBudget(0, 0)).take(0, 1_000_000));
  }

  @Test
  void aBucketThatWasNotUsedForLongIsAsGoodAsANewOne() {
    RetryTokens tokens = new RetryTokens(RetryBudget.DEFAULT);
    assertTrue(tokens.isFull(0));
    tokens.take(0, 0);
    assertFalse(tokens.isFull(RetryTokens.WINDOW_NANOS - 1));
    assertTrue(tokens.isFull(RetryTokens.WINDOW_NANOS));
  }
}
