package heddle.adapters.support.lease;

import heddle.adapters.support.Clients;
import heddle.client.settings.PoolLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was left open when its lease was released.
 *
 * @param since when, on {@link System#nanoTime}
 * @param endsAt when its keep-alive time is over
 * @param tls the configuration it was opened with; null for the manager's
 * @param own the connection, which belongs to one owner; null for shared connections
 * @param <S> settings of clients
 */
public record Warm<S>(
    long since, long endsAt, @Nullable Object tls, @Nullable OwnConnection<S> own) {
  /**
   * Returns one that is released now.
   *
   * @param keepAlive how long it may stay open
   * @param idle how long the settings keep idle connections; null for Heddle's default
   * @param age how long the settings keep connections; null for no limit
   */
  static <S> Warm<S> until(
      Duration keepAlive,
      @Nullable Duration idle,
      @Nullable Duration age,
      @Nullable Object tls,
      @Nullable OwnConnection<S> own) {
    Duration kept = idle == null && own != null ? PoolLimits.DEFAULTS.idleTimeout() : idle;
    Duration open = shorter(shorter(shorter(keepAlive, Clients.FOREVER), age), kept);
    long now = System.nanoTime();
    return new Warm<>(now, now + open.toNanos(), tls, own);
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }
}
