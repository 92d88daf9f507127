package heddle.bench.drivers.retrofitoverheddle;

import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.okhttpoverheddle.OverHeddle;
import heddle.bench.drivers.retrofit.RetrofitDriver;

/** Retrofit as the driver {@code retrofit} uses it, on OkHttp over Heddle. */
public final class RetrofitOverHeddleDriver implements ForwardingClientDriver {

  private final OverHeddle heddle = new OverHeddle();
  private final RetrofitDriver driver = new RetrofitDriver("retrofit-over-heddle", heddle);

  /** Creates a driver that is not started. */
  public RetrofitOverHeddleDriver() {}

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
