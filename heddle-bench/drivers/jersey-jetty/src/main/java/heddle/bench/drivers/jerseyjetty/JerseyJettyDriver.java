package heddle.bench.drivers.jerseyjetty;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.jersey.JerseyDriver;
import org.eclipse.jetty.client.HttpClient;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jetty.connector.JettyConnectorProvider;

/**
 * Jersey over its connector for Jetty's client. Tuned, that client may open as many connections as
 * the load has (64 by default).
 */
public final class JerseyJettyDriver implements ForwardingClientDriver {

  private final JerseyDriver driver =
      new JerseyDriver("jersey-jetty", JerseyJettyDriver::configuration);

  /** Creates a driver that is not started. */
  public JerseyJettyDriver() {}

  private static ClientConfig configuration(DriverConfig config) {
    return new ClientConfig().connectorProvider(new JettyConnectorProvider());
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    driver.start(config);
    if (config.isTuned()) {
      HttpClient carrier = JettyConnectorProvider.getHttpClient(driver.client());
      carrier.setMaxConnectionsPerDestination(config.wire().connections());
      carrier.setMaxRequestsQueuedPerDestination(
          Math.max(config.wire().exchanges(), carrier.getMaxRequestsQueuedPerDestination()));
    }
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
