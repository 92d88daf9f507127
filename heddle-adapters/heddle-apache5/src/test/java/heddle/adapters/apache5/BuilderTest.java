package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The builders, which replace Apache's by a change of the class's name. */
class BuilderTest {
  /** A builder of Apache's and the one that replaces it. */
  record Pair(Class<?> theirs, Class<?> ours) {}

  static Stream<Pair> builders() {
    return Stream.of(
        new Pair(
            PoolingHttpClientConnectionManagerBuilder.class, HeddleConnectionManagerBuilder.class),
        new Pair(
            PoolingAsyncClientConnectionManagerBuilder.class,
            HeddleAsyncConnectionManagerBuilder.class));
  }

  @ParameterizedTest
  @MethodSource("builders")
  void everyMethodOfApachesBuilderExists(Pair pair) {
    List<String> missing = Arrays.stream(pair.theirs().getMethods())
        .filter(each -> each.getDeclaringClass() != Object.class)
        .filter(each -> !isIn(pair.ours(), each))
        .map(Method::toString)
        .toList();
    assertEquals(List.of(), missing);
  }

  private static boolean isIn(Class<?> ours, Method wanted) {
    return Arrays.stream(ours.getMethods())
        .anyMatch(each -> each.getName().equals(wanted.getName())
            && Arrays.equals(each.getParameterTypes(), wanted.getParameterTypes()));
  }

  @Test
  void policiesOfThePoolAreAccepted() {
    assertDoesNotThrow(() -> {
      HeddleConnectionManagerBuilder.create()
          .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
          .setConnPoolPolicy(PoolReusePolicy.FIFO)
          .setOffLockDisposalEnabled(true)
          .useSystemProperties()
          .build()
          .close();
      HeddleAsyncConnectionManagerBuilder.create()
          .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT)
          .setConnPoolPolicy(PoolReusePolicy.LIFO)
          .setMessageMultiplexing(true)
          .build()
          .close();
    });
  }

  @Test
  void absentConfigurationsAreApachesDefaults() {
    assertDoesNotThrow(() -> HeddleConnectionManagerBuilder.create()
        .setDefaultConnectionConfig(null)
        .setDefaultSocketConfig(null)
        .setDefaultTlsConfig(null)
        .setConnectionFactory(null)
        .setTlsSocketStrategy(null)
        .build()
        .close());
  }

  @Test
  void aTimeToLiveKeepsTheOtherLimitsOfConnections() {
    HeddleConnectionManagerBuilder builder = HeddleConnectionManagerBuilder.create()
        .setDefaultConnectionConfig(
            ConnectionConfig.custom().setConnectTimeout(Timeout.ofSeconds(7)).build());
    @SuppressWarnings("deprecation") // the method is under test
    HeddleConnectionManagerBuilder changed = builder.setConnectionTimeToLive(Timeout.ofSeconds(9));
    assertEquals(Timeout.ofSeconds(7), changed.connectionConfig.getConnectTimeout());
    assertEquals(Timeout.ofSeconds(9), changed.connectionConfig.getTimeToLive());
  }

  @Test
  void aFactoryOfConnectionsIsRefusedByName() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> HeddleConnectionManagerBuilder.create()
            .setConnectionFactory(new ManagedHttpClientConnectionFactory()));
    assertTrue(String.valueOf(e.getMessage()).contains("setConnectionFactory"), e::toString);
  }

  @Test
  void aStrategyThatOnlySecuresSocketsIsRefusedByName() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> HeddleConnectionManagerBuilder.create()
            .setTlsSocketStrategy((socket, target, port, attachment, context) -> null));
    assertTrue(String.valueOf(e.getMessage()).contains("setTlsSocketStrategy"), e::toString);
  }

  @Test
  void aLeaseNeedsNoTimeout() throws Exception {
    HttpRoute route = new HttpRoute(new HttpHost("http", "localhost", 80));
    try (HeddleConnectionManager manager =
        HeddleConnectionManagerBuilder.create().setMaxConnPerRoute(1).build()) {
      ConnectionEndpoint endpoint =
          manager.lease("one", route, (Object) null).get(Timeout.ofSeconds(5));
      assertThrows(
          TimeoutException.class,
          () -> manager.lease("two", route, (Object) null).get(Timeout.ofMilliseconds(1)));
      manager.release(endpoint, null, null);
      assertEquals(0, manager.getTotalStats().getLeased());
    }
  }
}
