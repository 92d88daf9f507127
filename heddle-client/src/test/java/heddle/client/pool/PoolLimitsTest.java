package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PoolLimitsTest {
  private static PoolLimits.Builder limits() {
    return PoolLimits.builder();
  }

  /** The message names the setting, its range and what was given. */
  private static void assertRefused(String message, PoolLimits.Builder builder) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::build);
    assertEquals(message, e.getMessage());
  }

  @Test
  void whatIsLeftAloneIsTheDefault() {
    assertEquals(PoolLimits.DEFAULTS, limits().build());
    assertEquals(PoolLimits.DEFAULTS, PoolLimits.DEFAULTS.toBuilder().build());
  }

  @Test
  void numbersOutOfTheirRangeAreRefusedByName() {
    assertRefused("maxTotal must be at least 1, not 0", limits().maxTotal(0));
    assertRefused(
        "maxPerRoute must be 1 to maxTotal, which is 1024, not 0", limits().maxPerRoute(0));
    assertRefused(
        "maxHttp2PerRoute must be 1 to maxTotal, which is 1024, not -1",
        limits().maxHttp2PerRoute(-1));
    assertRefused(
        "maxStreamsPerConnection must be at least 1, not 0", limits().maxStreamsPerConnection(0));
    assertRefused("maxInFlightPerRoute must be at least 1, not 0", limits().maxInFlightPerRoute(0));
    assertRefused("maxQueuedPerRoute must be at least 0, not -1", limits().maxQueuedPerRoute(-1));
    assertRefused("ageJitter must be 0 to 0.9, not 1.0", limits().ageJitter(1));
    assertRefused("ageJitter must be 0 to 0.9, not -0.1", limits().ageJitter(-0.1));
    assertRefused("ageJitter must be 0 to 0.9, not NaN", limits().ageJitter(Double.NaN));
  }

  @Test
  void timesThatAreNotPositiveAreRefusedByName() {
    assertRefused(
        "acquireTimeout must be positive, but was PT0S", limits().acquireTimeout(Duration.ZERO));
    assertRefused(
        "idleTimeout must be positive, but was PT-1S",
        limits().idleTimeout(Duration.ofSeconds(-1)));
    assertRefused("maxAge must be positive, but was PT0S", limits().maxAge(Duration.ZERO));
  }

  @Test
  void settingsThatContradictEachOtherAreRefused() {
    assertRefused(
        "maxPerRoute must be 1 to maxTotal, which is 50, not 100",
        limits().maxPerRoute(100).maxTotal(50));
    assertRefused(
        "maxHttp2PerRoute must be 1 to maxTotal, which is 5, not 6",
        limits().maxHttp2PerRoute(6).maxTotal(5));
    assertRefused(
        "idleTimeout must be at most maxAge, which is PT10S, not PT20S",
        limits().maxAge(Duration.ofSeconds(10)).idleTimeout(Duration.ofSeconds(20)));
    assertRefused(
        "adaptive max must be 1 to maxInFlightPerRoute, which is 10, not 20",
        limits().maxInFlightPerRoute(10).adaptive(2, 20));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> PoolLimits.adaptive(5, 4));
    assertEquals("adaptive max must be at least adaptive min, which is 5, not 4", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> PoolLimits.adaptive(0, 4));
  }

  @Test
  void whatIsLeftAloneMakesRoomForWhatIsGiven() {
    PoolLimits small = PoolLimits.builder().maxTotal(2).build();
    assertEquals(2, small.maxPerRoute());
    assertEquals(2, small.maxHttp2PerRoute());
    PoolLimits large = PoolLimits.builder().maxPerRoute(15_000).build();
    assertEquals(15_000, large.maxTotal());
    assertEquals(15_000, large.maxInFlightPerRoute());
    assertEquals(40_000, limits().maxStreamsPerConnection(10_000).build().maxInFlightPerRoute());
    assertEquals(9_000, PoolLimits.adaptive(1, 9_000).maxInFlightPerRoute());
    Duration second = Duration.ofSeconds(1);
    assertEquals(second, limits().maxAge(second).build().idleTimeout());
    Duration day = Duration.ofDays(1);
    assertEquals(day, PoolLimits.builder().idleTimeout(day).build().maxAge());
  }

  @Test
  void theOrderInWhichSettingsAreGivenMakesNoDifference() {
    PoolLimits one = PoolLimits.builder().maxTotal(1_000).maxPerRoute(1_000).build();
    assertEquals(one, PoolLimits.builder().maxPerRoute(1_000).maxTotal(1_000).build());
    assertTrue(one.maxTotal() == 1_000 && one.maxPerRoute() == 1_000);
  }
}
