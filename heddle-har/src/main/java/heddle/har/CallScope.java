package heddle.har;

import heddle.client.spi.Interceptor;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What an interceptor notes of a call so that a listener finds it: the attempts of the call are
 * made on the interceptor's thread, while it proceeds. Thread-safe.
 */
final class CallScope<T> {
  private final Map<Thread, T> current = new ConcurrentHashMap<>();

  /** What was noted of the innermost call on this thread; null for none. */
  @Nullable
  T current() {
    return current.get(Thread.currentThread());
  }

  /** Proceeds with this noted; a step may make a further call meanwhile, on the same thread. */
  Response proceed(T noted, Request request, Interceptor.Chain chain) throws IOException {
    Thread thread = Thread.currentThread();
    T outer = current.put(thread, noted);
    try {
      return chain.proceed(request);
    } finally {
      if (outer == null) {
        current.remove(thread);
      } else {
        current.put(thread, outer);
      }
    }
  }
}
