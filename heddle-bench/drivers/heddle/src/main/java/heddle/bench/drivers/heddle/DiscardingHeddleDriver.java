package heddle.bench.drivers.heddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;

/**
 * Heddle's client as {@link HeddleDriver} uses it, but large content is counted where it arrives
 * and dropped, as the drivers of asynchronous clients do: what it costs to receive content, without
 * what it costs to hand it to a reader.
 */
public final class DiscardingHeddleDriver implements ClientDriver {

  private final HeddleDriver driver = new HeddleDriver("heddle-discard", true);

  /** A driver that is not started. */
  public DiscardingHeddleDriver() {}

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public String version() {
    return driver.version();
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    driver.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    return driver.prepare(request);
  }

  @Override
  public void close() {
    driver.close();
  }
}
