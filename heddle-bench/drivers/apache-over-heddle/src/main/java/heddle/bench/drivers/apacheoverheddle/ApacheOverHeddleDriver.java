package heddle.bench.drivers.apacheoverheddle;

import heddle.adapters.apache5.HeddleConnectionManager;
import heddle.adapters.apache5.HeddleConnectionManagerBuilder;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.apache.ApacheDriver;

/**
 * Apache's classic API as the driver {@code apache} uses it, over Heddle. Tuned, as many requests
 * may be under way as the load has connections (64 to a server and 512 in all by default).
 */
public final class ApacheOverHeddleDriver implements ForwardingClientDriver {

  private final ApacheDriver driver =
      new ApacheDriver("apache-over-heddle", ApacheOverHeddleDriver::connections);

  /** Creates a driver that is not started. */
  public ApacheOverHeddleDriver() {}

  private static HeddleConnectionManager connections(DriverConfig config) throws Exception {
    HeddleConnectionManagerBuilder builder = HeddleConnectionManager.builder();
    if (config.isTuned()) {
      int connections = config.wire().connections();
      builder.setMaxConnPerRoute(connections).setMaxConnTotal(connections);
    }
    if (config.isTls()) {
      builder.setSslContext(config.wire().trust().context());
    }
    return builder.build();
  }

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
