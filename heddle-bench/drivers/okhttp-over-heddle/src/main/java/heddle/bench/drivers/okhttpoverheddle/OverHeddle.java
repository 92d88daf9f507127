package heddle.bench.drivers.okhttpoverheddle;

import heddle.adapters.okhttp.HeddleInterceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import okhttp3.OkHttpClient;

/** Gives clients of OkHttp's an interceptor of Heddle's, as their last. For one thread. */
public final class OverHeddle implements UnaryOperator<OkHttpClient> {

  private final List<HeddleInterceptor> interceptors = new ArrayList<>();

  /** With no client yet. */
  public OverHeddle() {}

  @Override
  public OkHttpClient apply(OkHttpClient client) {
    HeddleInterceptor interceptor = HeddleInterceptor.of(client);
    interceptors.add(interceptor);
    return client.newBuilder().addInterceptor(interceptor).build();
  }

  /** Closes the connections of all of them. */
  public void close() {
    interceptors.forEach(HeddleInterceptor::close);
  }
}
