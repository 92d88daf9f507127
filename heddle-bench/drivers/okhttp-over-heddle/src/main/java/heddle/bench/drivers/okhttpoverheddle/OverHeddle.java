package heddle.bench.drivers.okhttpoverheddle;

import heddle.adapters.okhttp.HeddleInterceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import okhttp3.OkHttpClient;

/** Adds Heddle's interceptor to OkHttp clients, as the last one. Used by one thread. */
public final class OverHeddle implements UnaryOperator<OkHttpClient> {

  private final List<HeddleInterceptor> interceptors = new ArrayList<>();

  /** Creates it without a client. */
  public OverHeddle() {}

  @Override
  public OkHttpClient apply(OkHttpClient client) {
    HeddleInterceptor interceptor = HeddleInterceptor.of(client);
    interceptors.add(interceptor);
    return client.newBuilder().addInterceptor(interceptor).build();
  }

  /** Closes the connections of all clients. */
  public void close() {
    interceptors.forEach(HeddleInterceptor::close);
  }
}
