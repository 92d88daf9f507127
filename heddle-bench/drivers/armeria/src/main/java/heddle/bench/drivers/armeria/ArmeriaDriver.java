package heddle.bench.drivers.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.WebClientBuilder;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.TlsEngineType;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.Clients;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Wire;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Armeria's client, with the JDK's TLS like all clients; content is counted as it arrives and
 * discarded. By default all requests to a server run on one event loop, over HTTP/2 on one
 * connection, and connections over HTTP/1.1 have no limit. Tuned, there is one client per
 * connection over HTTP/2, and one per core over HTTP/1.1, each with its share of the load; and
 * answers may have any length (10 MiB by default).
 */
public final class ArmeriaDriver implements AsyncClientDriver {

  private final List<EventLoopGroup> loops = new ArrayList<>();
  private final List<ClientFactory> factories = new ArrayList<>();
  private final Clients<WebClient> clients = new Clients<>();

  @Override
  public String name() {
    return "armeria";
  }

  @Override
  public String version() {
    return Release.of(WebClient.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    boolean http2 = config.isHttp2();
    Wire wire = config.wire();
    int cores = Runtime.getRuntime().availableProcessors();
    int number =
        !config.isTuned() ? 1 : http2 ? wire.connections() : evenShares(wire.connections(), cores);
    int share = http2 ? wire.streams() : wire.connections() / number;
    clients.start(config, number, share, () -> client(config, factory(config, cores)));
  }

  /** The largest number up to a bound that divides the connections evenly. */
  private static int evenShares(int connections, int most) {
    int number = Math.min(connections, most);
    while (connections % number != 0) {
      number--;
    }
    return number;
  }

  /** Tuned, all factories share one event loop per core. */
  private ClientFactory factory(DriverConfig config, int cores) throws Exception {
    ClientFactoryBuilder builder = ClientFactory.builder();
    if (config.isTuned()) {
      if (loops.size() < cores) {
        loops.add(EventLoopGroups.newEventLoopGroup(1));
      }
      builder.workerGroup(loops.get(factories.size() % cores), false);
    }
    if (config.isTls()) {
      X509ExtendedTrustManager trust = config.wire().trust().manager();
      builder.tlsEngineType(TlsEngineType.JDK).tlsCustomizer(tls -> tls.trustManager(trust));
    }
    ClientFactory factory = builder.build();
    factories.add(factory);
    return factory;
  }

  private static WebClient client(DriverConfig config, ClientFactory factory) {
    SessionProtocol protocol = config.isHttp2()
        ? (config.isTls() ? SessionProtocol.H2 : SessionProtocol.H2C)
        : (config.isTls() ? SessionProtocol.H1 : SessionProtocol.H1C);
    WebClientBuilder builder = WebClient.builder(
            protocol, Endpoint.of(config.target().getHost(), config.port()))
        .factory(factory);
    if (config.isTuned()) {
      builder.maxResponseLength(0);
    }
    return builder.build();
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) throws Exception {
    return clients.async(request, ArmeriaDriver::exchange);
  }

  private static AsyncExchange exchange(WebClient client, DriverRequest request) {
    URI uri = request.uri();
    String path =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    HttpMethod method = request.isPost() ? HttpMethod.POST : HttpMethod.GET;
    String type = request.contentType();
    RequestHeaders head = type == null
        ? RequestHeaders.of(method, path)
        : RequestHeaders.of(method, path, HttpHeaderNames.CONTENT_TYPE, type);
    HttpData content = HttpData.wrap(request.content());
    return completion -> {
      HttpResponse response = client.execute(head, content);
      response.subscribe(new CountingSubscriber(response.defaultSubscriberExecutor(), completion));
    };
  }

  @Override
  public void close() {
    factories.forEach(ClientFactory::close);
    for (EventLoopGroup loop : loops) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2000);
    }
  }
}
