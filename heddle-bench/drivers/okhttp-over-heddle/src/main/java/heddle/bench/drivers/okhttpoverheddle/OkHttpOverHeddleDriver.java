package heddle.bench.drivers.okhttpoverheddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.okhttp.OkHttpDriver;

/**
 * OkHttp's blocking API as the driver {@code okhttp} uses it, with Heddle's interceptor as its
 * last.
 */
public final class OkHttpOverHeddleDriver implements ForwardingClientDriver {

  private final OverHeddle heddle = new OverHeddle();
  private final OkHttpDriver driver = new OkHttpDriver("okhttp-over-heddle", heddle);

  /** Creates a driver that is not started. */
  public OkHttpOverHeddleDriver() {}

  @Override
  public ClientDriver driver() {
    return driver;
  }

  @Override
  public void close() {
    driver.close();
    heddle.close();
  }
}
