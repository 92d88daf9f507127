package heddle.bench.drivers.heddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;

/**
 * Heddle's client as {@link HeddleDriver} uses it, but large content is counted where it arrives
 * and dropped, as the drivers of asynchronous clients do: what it costs to receive content, without
 * what it costs to hand it to a reader.
 */
public final class DiscardingHeddleDriver implements ForwardingClientDriver {

  private final HeddleDriver driver = new HeddleDriver("heddle-discard", true);

  /** A driver that is not started. */
  public DiscardingHeddleDriver() {}

  @Override
  public ClientDriver driver() {
    return driver;
  }
}
