package heddle.bench.drivers.heddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;

/**
 * Heddle's client as {@link HeddleDriver} uses it, but large content is counted as it arrives and
 * discarded, like in the drivers of asynchronous clients. Shows the cost of receiving content
 * without that of passing it to a reader.
 */
public final class DiscardingHeddleDriver implements ForwardingClientDriver {

  private final HeddleDriver driver = new HeddleDriver("heddle-discard", true);

  /** Creates a driver that is not started. */
  public DiscardingHeddleDriver() {}

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
