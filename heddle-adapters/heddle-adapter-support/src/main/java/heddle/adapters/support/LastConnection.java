package heddle.adapters.support;

import heddle.client.HttpCall;
import heddle.client.spi.ConnectionInfo;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The connection last used by a series of calls. Thread-safe. */
public final class LastConnection {
  /** The latest call; null if there is none, or if it was released. */
  private final AtomicReference<@Nullable HttpCall> call = new AtomicReference<>();

  /** Used by the calls before that one; null if none of them had a connection. */
  private volatile @Nullable ConnectionInfo earlier;

  /** Creates one without a call. */
  public LastConnection() {}

  /** Follows this call from now on. */
  public void follow(HttpCall next) {
    earlier = get();
    call.set(next);
  }

  /** Releases a call and its messages, and keeps the connection that it has used. */
  public void release(HttpCall ended) {
    ConnectionInfo used = ended.connection();
    if (used != null) {
      earlier = used;
    }
    call.compareAndSet(ended, null);
  }

  /** Returns null if no call has had a connection. */
  public @Nullable ConnectionInfo get() {
    HttpCall latest = call.get();
    ConnectionInfo now = latest == null ? null : latest.connection();
    return now == null ? earlier : now;
  }
}
