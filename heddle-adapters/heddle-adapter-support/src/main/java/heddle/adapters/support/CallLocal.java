package heddle.adapters.support;

import heddle.client.HttpCall;
import heddle.http.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to the call that a thread is making, for those who are asked about it on that thread
 * and only know the client: selectors of proxies, and authenticators. A call that one of them makes
 * meanwhile has its own. Keep it in a static field. Thread-safe.
 *
 * @param <T> what belongs to a call
 */
public final class CallLocal<T> {
  @SuppressWarnings("ThreadLocalUsage") // The field with this object is static.
  private final ThreadLocal<@Nullable T> values = new ThreadLocal<>();

  /** Creates one without values. */
  public CallLocal() {}

  /** What belongs to the call of this thread; null for nothing, and outside of calls. */
  public @Nullable T get() {
    return values.get();
  }

  /**
   * Makes a call on this thread.
   *
   * @param value what belongs to it; null for nothing
   * @throws IOException if the call fails
   */
  public Response execute(HttpCall call, @Nullable T value) throws IOException {
    T outer = values.get();
    if (value == outer) {
      return call.execute();
    }
    set(value);
    try {
      return call.execute();
    } finally {
      set(outer);
    }
  }

  private void set(@Nullable T value) {
    if (value == null) {
      values.remove();
    } else {
      values.set(value);
    }
  }
}
