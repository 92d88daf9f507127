package heddle.connection;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers for connections, from 1: see {@link Connection#id}. */
public final class ConnectionIds {
  private static final AtomicLong LAST = new AtomicLong();

  private ConnectionIds() {}

  public static long next() {
    return LAST.incrementAndGet();
  }
}
