package heddle.bench.drivers.jerseygrizzly;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.jersey.JerseyDriver;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.grizzly.connector.GrizzlyConnectorProvider;

/** Jersey over its connector for Grizzly's client, which has no limits to raise. */
public final class JerseyGrizzlyDriver implements ForwardingClientDriver {

  private final JerseyDriver driver =
      new JerseyDriver("jersey-grizzly", JerseyGrizzlyDriver::configuration);

  /** Creates a driver that is not started. */
  public JerseyGrizzlyDriver() {}

  private static ClientConfig configuration(DriverConfig config) {
    return new ClientConfig().connectorProvider(new GrizzlyConnectorProvider());
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
