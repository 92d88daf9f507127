package heddle.adapters.jdk;

import java.net.http.HttpClient;
import org.jspecify.annotations.Nullable;

/** Called by {@code HttpClient.newBuilder()} when the agent of heddle-agent is installed. */
public final class HeddleBuilders {
  /** True while the JDK's own builder is made, which checks options. */
  private static final ThreadLocal<Boolean> STOCK = ThreadLocal.withInitial(() -> false);

  private HeddleBuilders() {}

  /** Returns Heddle's builder; null while the JDK's own builder is made. */
  public static HttpClient.@Nullable Builder newBuilder() {
    return STOCK.get() ? null : HeddleHttpClient.newBuilder();
  }

  /** Returns the JDK's own builder, with or without the agent. */
  static HttpClient.Builder stock() {
    STOCK.set(true);
    try {
      return HttpClient.newBuilder();
    } finally {
      STOCK.remove();
    }
  }
}
