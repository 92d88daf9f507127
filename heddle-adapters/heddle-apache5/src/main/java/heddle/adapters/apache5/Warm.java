package heddle.adapters.apache5;

import java.time.Duration;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * A lease was given back with its connection open.
 *
 * @param since when, on {@link System#nanoTime}
 * @param endsAt when that ceases to be so by Apache's own reckoning
 */
record Warm(long since, long endsAt) {
  /** One that is given back now, and stays open as long as Apache and the settings say. */
  static Warm until(@Nullable TimeValue keepAlive, Settings settings) {
    Duration told = keepAlive == null || keepAlive.getDuration() < 0
        ? Settings.NO_LIMIT
        : shorter(Settings.duration(keepAlive), Settings.NO_LIMIT);
    Duration open = shorter(shorter(told, settings.age()), settings.idle());
    long now = System.nanoTime();
    return new Warm(now, now + open.toNanos());
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }
}
