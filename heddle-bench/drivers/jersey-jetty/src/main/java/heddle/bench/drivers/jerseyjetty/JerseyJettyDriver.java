package heddle.bench.drivers.jerseyjetty;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.jersey.JerseyCalls;
import jakarta.ws.rs.client.Client;
import org.eclipse.jetty.client.HttpClient;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jetty.connector.JettyConnectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * Jersey over its connector for Jetty's client. Tuned, that client may open as many connections as
 * the load has (64 by default).
 */
public final class JerseyJettyDriver implements ClientDriver {

  private final JerseyCalls calls = new JerseyCalls();

  /** Creates a driver that is not started. */
  public JerseyJettyDriver() {}

  @Override
  public String name() {
    return "jersey-jetty";
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
    ClientConfig jersey = new ClientConfig().connectorProvider(new JettyConnectorProvider());
    Client client = calls.start(config, jersey);
    if (config.isTuned()) {
      HttpClient carrier = JettyConnectorProvider.getHttpClient(client);
      carrier.setMaxConnectionsPerDestination(config.wire().connections());
      carrier.setMaxRequestsQueuedPerDestination(
          Math.max(config.wire().exchanges(), carrier.getMaxRequestsQueuedPerDestination()));
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
