package heddle.bench.drivers.jdkoverheddle;

import heddle.adapters.jdk.HeddleHttpClient;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.jdk.JdkDriver;
import org.jspecify.annotations.Nullable;

/** The JDK's blocking API as the driver {@code jdk} uses it, over Heddle. */
public final class JdkOverHeddleDriver implements ClientDriver {

  private final JdkDriver driver = new JdkDriver("jdk-over-heddle", HeddleHttpClient::newBuilder);

  /** A driver that is not started. */
  public JdkOverHeddleDriver() {}

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public String version() {
    return driver.version();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return driver.refusal(config);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    driver.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    return driver.prepare(request);
  }

  @Override
  public void close() {
    driver.close();
  }
}
