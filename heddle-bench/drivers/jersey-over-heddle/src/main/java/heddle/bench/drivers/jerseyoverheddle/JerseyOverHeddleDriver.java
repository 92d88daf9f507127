package heddle.bench.drivers.jerseyoverheddle;

import heddle.adapters.jersey.HeddleConnectorProvider;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.heddle.HeddleSettings;
import heddle.bench.drivers.jersey.JerseyCalls;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import org.glassfish.jersey.client.ClientConfig;

/**
 * Jersey over Heddle, the only connector that also supports HTTP/2. Tuned, it opens as many
 * connections as the load has (5,000 to a server by default, 4 over HTTP/2).
 */
public final class JerseyOverHeddleDriver implements ClientDriver {

  /** As many as by default. */
  private static final int MOST_WAITING = 100_000;

  private final JerseyCalls calls = new JerseyCalls();

  /** Creates a driver that is not started. */
  public JerseyOverHeddleDriver() {}

  @Override
  public String name() {
    return "jersey-over-heddle";
  }

  @Override
  public String version() {
    return JerseyCalls.version();
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    var _ = calls.start(
        config,
        new ClientConfig()
            .connectorProvider(HeddleConnectorProvider.with(builder -> apply(config, builder))));
  }

  private static void apply(DriverConfig config, HttpClient.Builder builder) {
    builder.version(config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1);
    if (config.isTuned()) {
      builder.poolLimits(HeddleSettings.limits(config.wire(), MOST_WAITING));
    }
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    return calls.prepare(request);
  }

  @Override
  public void close() {
    calls.close();
  }
}
