package heddle.adapters.apache5;

import heddle.client.settings.PoolLimits;
import java.time.Duration;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was left open when its lease was released.
 *
 * @param since when, on {@link System#nanoTime}
 * @param endsAt when Apache's keep-alive time is over
 * @param tls the configuration it was opened with; null for the manager's
 * @param own the connection, which belongs to one owner; null for shared connections
 */
record Warm(long since, long endsAt, @Nullable TlsConfig tls, @Nullable OwnConnection own) {
  /** Returns one that is released now and stays open as long as Apache and the settings say. */
  static Warm until(
      @Nullable TimeValue keepAlive,
      Settings settings,
      @Nullable TlsConfig tls,
      @Nullable OwnConnection own) {
    Duration told = keepAlive == null || keepAlive.getDuration() < 0
        ? Settings.NO_LIMIT
        : shorter(Settings.duration(keepAlive), Settings.NO_LIMIT);
    Duration idle = settings.idle();
    Duration kept = idle == null && own != null ? PoolLimits.DEFAULTS.idleTimeout() : idle;
    Duration open = shorter(shorter(told, settings.age()), kept);
    long now = System.nanoTime();
    return new Warm(now, now + open.toNanos(), tls, own);
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }
}
