package heddle.bench.drivers.jerseyoverheddle;

import heddle.adapters.jersey.HeddleConnectorProvider;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.heddle.HeddleSettings;
import heddle.bench.drivers.jersey.JerseyDriver;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import org.glassfish.jersey.client.ClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Jersey over Heddle, the only connector that also supports HTTP/2. Tuned, it opens as many
 * connections as the load has (5,000 to a server by default, 4 over HTTP/2).
 */
public final class JerseyOverHeddleDriver implements ForwardingClientDriver {

  private final JerseyDriver driver =
      new JerseyDriver("jersey-over-heddle", JerseyOverHeddleDriver::configuration);

  /** Creates a driver that is not started. */
  public JerseyOverHeddleDriver() {}

  private static ClientConfig configuration(DriverConfig config) {
    return new ClientConfig()
        .connectorProvider(HeddleConnectorProvider.with(builder -> apply(config, builder)));
  }

  private static void apply(DriverConfig config, HttpClient.Builder builder) {
    builder.version(config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1);
    if (config.isTuned()) {
      HeddleSettings.tune(builder, config.wire());
    }
  }

  /** None: unlike Jersey's own connectors, this one supports both versions. */
  @Override
  public @Nullable String refusal(DriverConfig config) {
    return null;
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
