package heddle.bench.drivers.jerseyapache;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.jersey.JerseyDriver;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.glassfish.jersey.apache5.connector.Apache5ClientProperties;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;

/**
 * Jersey over its connector for Apache HttpClient 5. Tuned, that client's pool may hold as many
 * connections as the load has (5 for each route and 25 in all by default).
 */
public final class JerseyApacheDriver implements ForwardingClientDriver {

  private final JerseyDriver driver =
      new JerseyDriver("jersey-apache", JerseyApacheDriver::configuration);

  /** Creates a driver that is not started. */
  public JerseyApacheDriver() {}

  private static ClientConfig configuration(DriverConfig config) throws Exception {
    ClientConfig jersey = new ClientConfig().connectorProvider(new Apache5ConnectorProvider());
    if (config.isTuned()) {
      int connections = config.wire().connections();
      PoolingHttpClientConnectionManagerBuilder pool =
          PoolingHttpClientConnectionManagerBuilder.create()
              .setMaxConnPerRoute(connections)
              .setMaxConnTotal(connections);
      if (config.isTls()) {
        // Jersey does not pass its TLS context to a custom pool.
        pool.setTlsSocketStrategy(ClientTlsStrategyBuilder.create()
            .setSslContext(config.wire().trust().context())
            .buildClassic());
      }
      jersey.property(Apache5ClientProperties.CONNECTION_MANAGER, pool.build());
    }
    return jersey;
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
