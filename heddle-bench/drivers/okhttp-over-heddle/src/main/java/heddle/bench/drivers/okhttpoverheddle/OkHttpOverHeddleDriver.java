package heddle.bench.drivers.okhttpoverheddle;

import heddle.adapters.okhttp.HeddleInterceptor;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.ForwardingClientDriver;
import heddle.bench.drivers.okhttp.OkHttpDriver;
import java.util.ArrayList;
import java.util.List;
import okhttp3.OkHttpClient;

/**
 * OkHttp's blocking API as the driver {@code okhttp} uses it, with Heddle's interceptor as its
 * last.
 */
public final class OkHttpOverHeddleDriver implements ForwardingClientDriver {

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
  public ClientDriver driver() {
    return driver;
  }

  @Override
  public void close() {
    driver.close();
    interceptors.forEach(HeddleInterceptor::close);
  }
}
