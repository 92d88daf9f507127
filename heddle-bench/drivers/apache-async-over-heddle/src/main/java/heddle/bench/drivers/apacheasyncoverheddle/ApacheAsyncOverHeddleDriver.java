package heddle.bench.drivers.apacheasyncoverheddle;

import heddle.adapters.apache5.HeddleConnectionManager;
import heddle.adapters.apache5.HeddleConnectionManagerBuilder;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.ForwardingAsyncClientDriver;
import heddle.bench.drivers.apacheasync.ApacheAsyncDriver;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;

/**
 * Apache's asynchronous API as the driver {@code apache-async} uses it, over Heddle. Tuned, as many
 * requests may be under way as the load has (64 to a server and 512 in all by default).
 */
public final class ApacheAsyncOverHeddleDriver implements ForwardingAsyncClientDriver {

  private final ApacheAsyncDriver driver =
      new ApacheAsyncDriver("apache-async-over-heddle", ApacheAsyncOverHeddleDriver::client);

  /** Creates a driver that is not started. */
  public ApacheAsyncOverHeddleDriver() {}

  private static CloseableHttpAsyncClient client(DriverConfig config) throws Exception {
    HttpVersionPolicy version =
        config.isHttp2() ? HttpVersionPolicy.FORCE_HTTP_2 : HttpVersionPolicy.FORCE_HTTP_1;
    HeddleConnectionManagerBuilder connections = HeddleConnectionManager.builder()
        .setDefaultTlsConfig(TlsConfig.custom().setVersionPolicy(version).build());
    if (config.isTuned()) {
      // These limits count requests, and a connection of HTTP/2 carries several.
      int requests = config.wire().exchanges();
      connections.setMaxConnPerRoute(requests).setMaxConnTotal(requests);
    }
    if (config.isTls()) {
      connections.setSslContext(config.wire().trust().context());
    }
    return HttpAsyncClientBuilder.create()
        .setConnectionManager(connections.buildAsync())
        // The client's own threads are idle.
        .setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).build())
        .build();
  }

  @Override
  public AsyncClientDriver driver() {
    return driver;
  }
}
