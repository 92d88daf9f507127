package heddle.adapters.jdk;

import java.net.http.HttpClient;
import org.jspecify.annotations.Nullable;

/** For {@link HeddleAgent}: what {@code HttpClient.newBuilder()} answers with. */
public final class HeddleBuilders {
  /** Bound while the JDK's own client is wanted, as for WebSockets. */
  private static final ScopedValue<Boolean> STOCK = ScopedValue.newInstance();

  private HeddleBuilders() {}

  /** A builder of Heddle's; null where the JDK's own is wanted. */
  public static HttpClient.@Nullable Builder newBuilder() {
    return STOCK.isBound() ? null : HeddleHttpClient.newBuilder();
  }

  /** The JDK's own, whether there is an agent or not. */
  static HttpClient.Builder stock() {
    return ScopedValue.where(STOCK, true).call(HttpClient::newBuilder);
  }
}
