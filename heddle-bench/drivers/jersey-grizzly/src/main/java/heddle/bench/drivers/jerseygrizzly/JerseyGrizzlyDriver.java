package heddle.bench.drivers.jerseygrizzly;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.jersey.JerseyCalls;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.grizzly.connector.GrizzlyConnectorProvider;
import org.jspecify.annotations.Nullable;

/** Jersey over its connector for Grizzly's client, which has no limits to raise. */
public final class JerseyGrizzlyDriver implements ClientDriver {

  private final JerseyCalls calls = new JerseyCalls();

  /** Creates a driver that is not started. */
  public JerseyGrizzlyDriver() {}

  @Override
  public String name() {
    return "jersey-grizzly";
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
    var _ =
        calls.start(config, new ClientConfig().connectorProvider(new GrizzlyConnectorProvider()));
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
