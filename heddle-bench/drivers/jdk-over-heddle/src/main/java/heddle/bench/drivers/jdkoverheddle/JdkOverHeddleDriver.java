package heddle.bench.drivers.jdkoverheddle;

import heddle.adapters.jdk.HeddleHttpClient;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.jdk.JdkDriver;

/** The JDK's blocking API as the driver {@code jdk} uses it, over Heddle. */
public final class JdkOverHeddleDriver implements ForwardingClientDriver {

  private final JdkDriver driver = new JdkDriver("jdk-over-heddle", HeddleHttpClient::newBuilder);

  /** Creates a driver that is not started. */
  public JdkOverHeddleDriver() {}

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
