package heddle.bench.drivers.heddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import java.net.URI;

/** Heddle's client through its blocking API. */
public final class HeddleDriver implements ClientDriver {

  @Override
  public String name() {
    return "heddle";
  }

  @Override
  public String version() {
    return "0.1.0-SNAPSHOT";
  }

  @Override
  public void start(DriverConfig config) {
    throw new UnsupportedOperationException("Heddle's client follows");
  }

  @Override
  public Exchange prepare(URI uri) {
    throw new UnsupportedOperationException("Heddle's client follows");
  }

  @Override
  public void close() {}
}
