package heddle.bench.drivers.jerseyjdk;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.jersey.JerseyDriver;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jdk.connector.JdkConnectorProperties;
import org.glassfish.jersey.jdk.connector.JdkConnectorProvider;

/**
 * Jersey over its JDK connector, a client of Jersey's on asynchronous channels. Tuned, it may open
 * as many connections as the load has (20 for each destination by default). A caller that reads a
 * truncated answer waits for ever, regardless of timeouts.
 */
public final class JerseyJdkDriver implements ForwardingClientDriver {

  private final JerseyDriver driver =
      new JerseyDriver("jersey-jdk", JerseyJdkDriver::configuration);

  /** Creates a driver that is not started. */
  public JerseyJdkDriver() {}

  private static ClientConfig configuration(DriverConfig config) {
    ClientConfig jersey = new ClientConfig().connectorProvider(new JdkConnectorProvider());
    if (config.isTuned()) {
      jersey.property(
          JdkConnectorProperties.MAX_CONNECTIONS_PER_DESTINATION, config.wire().connections());
    }
    return jersey;
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
