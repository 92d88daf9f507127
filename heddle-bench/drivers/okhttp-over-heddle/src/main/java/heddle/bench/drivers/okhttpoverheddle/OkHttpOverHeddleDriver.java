package heddle.bench.drivers.okhttpoverheddle;

import heddle.adapters.okhttp.HeddleInterceptor;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.drivers.okhttp.OkHttpDriver;
import java.util.ArrayList;
import java.util.List;
import okhttp3.OkHttpClient;

/**
 * OkHttp's blocking API as the driver {@code okhttp} uses it, with Heddle's interceptor as its
 * last.
 */
public final class OkHttpOverHeddleDriver implements ClientDriver {

  private final OkHttpDriver driver = new OkHttpDriver("okhttp-over-heddle", this::overHeddle);
  private final List<HeddleInterceptor> interceptors = new ArrayList<>();

  /** A driver that is not started. */
  public OkHttpOverHeddleDriver() {}

  private OkHttpClient overHeddle(OkHttpClient client) {
    HeddleInterceptor interceptor = HeddleInterceptor.of(client);
    interceptors.add(interceptor);
    return client.newBuilder().addInterceptor(interceptor).build();
  }

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public String version() {
    return driver.version();
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
    interceptors.forEach(HeddleInterceptor::close);
  }
}
