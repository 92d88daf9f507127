package heddle.bench.drivers.jerseyjdk;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.jersey.JerseyCalls;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jdk.connector.JdkConnectorProperties;
import org.glassfish.jersey.jdk.connector.JdkConnectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * Jersey over its JDK connector, a client of Jersey's on asynchronous channels. Tuned, it may open
 * as many connections as the load has (20 for each destination by default). A caller that reads a
 * truncated answer waits for ever, regardless of timeouts.
 */
public final class JerseyJdkDriver implements ClientDriver {

  private final JerseyCalls calls = new JerseyCalls();

  /** Creates a driver that is not started. */
  public JerseyJdkDriver() {}

  @Override
  public String name() {
    return "jersey-jdk";
  }

  @Override
  public String version() {
    return JerseyCalls.version();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return JerseyCalls.refusal(config);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    ClientConfig jersey = new ClientConfig().connectorProvider(new JdkConnectorProvider());
    if (config.isTuned()) {
      jersey.property(
          JdkConnectorProperties.MAX_CONNECTIONS_PER_DESTINATION, config.wire().connections());
    }
    var _ = calls.start(config, jersey);
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
