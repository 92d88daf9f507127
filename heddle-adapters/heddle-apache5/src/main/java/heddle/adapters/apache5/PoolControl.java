package heddle.adapters.apache5;

import java.time.Duration;
import java.util.Set;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;

/** Limits of a manager, and what it holds. */
abstract class PoolControl implements ConnPoolControl<HttpRoute> {
  final Leases leases;
  final Transport transport;

  /**
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  PoolControl(HeddleConnectionManagerBuilder builder) {
    builder.requireOneSourceOfTls();
    leases = new Leases(builder.maxTotal, builder.maxPerRoute);
    transport = new Transport(builder.names, builder.context, builder.tls, builder.maxTotal);
  }

  @Override
  public void setMaxTotal(int max) {
    leases.setMaxTotal(max);
    transport.setMaxTotal(max);
  }

  @Override
  public int getMaxTotal() {
    return leases.maxTotal();
  }

  @Override
  public void setDefaultMaxPerRoute(int max) {
    leases.setMaxPerRoute(max);
  }

  @Override
  public int getDefaultMaxPerRoute() {
    return leases.maxPerRoute();
  }

  /** Sets the limit of one route; a limit below 1 means the default one again. */
  @Override
  public void setMaxPerRoute(HttpRoute route, int max) {
    leases.setMaxPerRoute(route, max);
  }

  @Override
  public int getMaxPerRoute(HttpRoute route) {
    return leases.maxPerRoute(route);
  }

  /** Closes the connections that nobody has used for so long, or longer. */
  @Override
  public void closeIdle(TimeValue idleTime) {
    Duration given = idleTime.toDuration();
    Duration unused = given.isPositive() ? Settings.limit(idleTime, given) : Duration.ZERO;
    long now = System.nanoTime();
    leases.forgetWarm(now - unused.toNanos(), now);
    transport.closeIdle(unused);
  }

  /** Heddle closes what is over its time by itself: nothing is left to be done here. */
  @Override
  public void closeExpired() {
    long now = System.nanoTime();
    leases.forgetWarm(now - Settings.NO_LIMIT.toNanos(), now);
  }

  /** Routes with endpoints leased or waited for, or released open. */
  @Override
  public Set<HttpRoute> getRoutes() {
    return leases.routes();
  }

  /** Endpoints that are leased, requests that wait for one, and endpoints released open. */
  @Override
  public PoolStats getTotalStats() {
    return leases.stats();
  }

  @Override
  public PoolStats getStats(HttpRoute route) {
    return leases.stats(route);
  }
}
