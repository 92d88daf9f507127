package heddle.bench.drivers.heddle;

import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Settings of Heddle's client for the connections of a load. */
public final class HeddleSettings {

  /**
   * Other clients have no limit for a response, and a batch may hold more requests than a few
   * connections can carry in a minute.
   */
  private static final Timeouts PATIENT =
      Timeouts.DEFAULTS.toBuilder().head(Duration.ofHours(1)).build();

  private HeddleSettings() {}

  /**
   * Whom to trust.
   *
   * @throws IOException if a certificate file cannot be read
   */
  public static TlsOptions tls(Trust trust) throws IOException {
    return switch (trust) {
      case Trust.Default _ -> TlsOptions.defaults();
      case Trust.Pem(Path certificates) ->
        TlsOptions.builder().trust(certificates).build();
      case Trust.Everything _ -> TlsOptions.builder().insecureTrustEverything().build();
    };
  }

  /** Raises the limits of a client to those of a load. */
  public static void tune(HttpClient.Builder builder, Wire wire) {
    builder.poolLimits(limits(wire, 0)).timeouts(PATIENT);
  }

  /**
   * The defaults, with global limits raised to the load, and route limits set to it.
   *
   * @param waiting how many exchanges may wait for a connection; at least the default
   */
  public static PoolLimits limits(Wire wire, int waiting) {
    PoolLimits defaults = PoolLimits.DEFAULTS;
    return defaults.toBuilder()
        .maxTotal(Math.max(wire.connections(), defaults.maxTotal()))
        .maxPerRoute(wire.connections())
        .maxHttp2PerRoute(wire.connections())
        .maxStreamsPerConnection(wire.streams())
        .maxQueuedPerRoute(Math.max(waiting, defaults.maxQueuedPerRoute()))
        .build();
  }
}
