package heddle.examples.guide;

import heddle.http.Response;
import heddle.micrometer.HeddleServerMetrics;
import heddle.server.HttpServer;
import heddle.server.ListenAddress;
import heddle.server.proxy.ForwardedFields;
import heddle.server.proxy.ForwardedFilter;
import heddle.server.proxy.TrustedProxies;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.transport.tls.TlsOptions;
import heddle.web.Router;
import heddle.web.filter.Health;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** The code of docs/guide/operating-a-server.md. */
final class Operating {
  private Operating() {}

  static HttpServer ports(ExchangeHandler handler, Path shop, Path shopKey, Path blog, Path blogKey)
      throws IOException {
    // doc: ports
    TlsOptions certificates = TlsOptions.builder()
        .identity(shop, shopKey) // for the names in it, and for clients that name none
        .identity(blog, blogKey)
        .build();
    HttpServer server = HttpServer.builder()
        .address(new InetSocketAddress("localhost", 0)) // cleartext
        .listen(ListenAddress.of(new InetSocketAddress("localhost", 0)).withTls(certificates))
        .exchangeHandler(handler)
        .start();
    // doc: end
    return server;
  }

  static void renew(HttpServer server, Path chain, Path key) throws IOException {
    // doc: renew
    TlsOptions renewed = TlsOptions.builder().identity(chain, key).build();
    server.tls(server.addresses().get(1), renewed);
    // doc: end
  }

  static ExchangeHandler behindProxies(ExchangeHandler handler) {
    // doc: forwarded
    TrustedProxies proxies = TrustedProxies.of("10.0.0.0/8", "127.0.0.0/8");
    Filter forwarded = new ForwardedFilter(ForwardedFields.X_FORWARDED, proxies);
    ExchangeHandler behind = forwarded.before(handler);
    // doc: end
    return behind;
  }

  static HttpServer health(Health.Check database) throws IOException {
    // doc: health
    AtomicReference<HttpServer> running = new AtomicReference<>();
    Health health = Health.builder()
        .ready(() -> running.get() != null && !running.get().isDraining())
        .check("database", database)
        .build();
    Router router = Router.builder()
        .get("/live", exchange -> health.liveness().handle(exchange.request()))
        .get("/ready", exchange -> health.readiness().handle(exchange.request()))
        .get("/", exchange -> Response.ok("welcome"))
        .build();
    HttpServer server = HttpServer.builder()
        .exchangeHandler(router)
        .drainDelay(Duration.ofMillis(300)) // until the load balancer has seen 503
        .start();
    running.set(server);
    // doc: end
    return server;
  }

  static HttpServer metrics(MeterRegistry registry, Router router) throws IOException {
    // doc: metrics
    HeddleServerMetrics metrics =
        HeddleServerMetrics.builder(registry).route(Router.ROUTE).build();
    HttpServer server =
        HttpServer.builder().exchangeHandler(metrics.before(router)).start();
    metrics.bind(server); // gauges of connections, memory and refusals
    // doc: end
    return server;
  }
}
