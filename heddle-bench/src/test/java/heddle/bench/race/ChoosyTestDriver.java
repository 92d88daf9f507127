package heddle.bench.race;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;

/** Refuses every load. */
public final class ChoosyTestDriver implements ClientDriver {

  @Override
  public String name() {
    return "choosy";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public String refusal(DriverConfig config) {
    return "not in the mood";
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    throw new IllegalStateException("it has refused");
  }

  @Override
  public void close() {}
}
