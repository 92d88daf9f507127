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
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Spread;
import heddle.bench.driver.Wire;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

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
  private final List<WebClient> clients = new ArrayList<>();
  /** Over HTTP/2. */
  private @Nullable DriverRequest opening;

  private int share;

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
    opening = http2 ? config.opening() : null;
    Wire wire = config.wire();
    int cores = Runtime.getRuntime().availableProcessors();
    int number =
        !config.isTuned() ? 1 : http2 ? wire.connections() : evenShares(wire.connections(), cores);
    share = http2 ? wire.streams() : wire.connections() / number;
    for (int i = 0; i < number; i++) {
      ClientFactoryBuilder factory = ClientFactory.builder();
      if (config.isTuned()) {
        if (i < cores) {
          loops.add(EventLoopGroups.newEventLoopGroup(1));
        }
        factory.workerGroup(loops.get(i % cores), false);
      }
      if (config.isTls()) {
        X509ExtendedTrustManager trust = config.wire().trust().manager();
        factory.tlsEngineType(TlsEngineType.JDK).tlsCustomizer(tls -> tls.trustManager(trust));
      }
      ClientFactory made = factory.build();
      factories.add(made);
      clients.add(client(config, made));
    }
  }

  /** The largest number up to a bound that divides the connections evenly. */
  private static int evenShares(int connections, int most) {
    int number = Math.min(connections, most);
    while (connections % number != 0) {
      number--;
    }
    return number;
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
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    DriverRequest first = opening;
    if (first != null) {
      Spread.connectAsync(each(first));
    }
    return Spread.async(each(request), share);
  }

  /** An exchange of the request with each client. */
  private List<AsyncExchange> each(DriverRequest request) {
    URI uri = request.uri();
    String path =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    HttpMethod method = request.isPost() ? HttpMethod.POST : HttpMethod.GET;
    String type = request.contentType();
    RequestHeaders head = type == null
        ? RequestHeaders.of(method, path)
        : RequestHeaders.of(method, path, HttpHeaderNames.CONTENT_TYPE, type);
    HttpData content = HttpData.wrap(request.content());
    List<AsyncExchange> all = new ArrayList<>();
    for (WebClient client : clients) {
      all.add(completion -> {
        HttpResponse response = client.execute(head, content);
        response.subscribe(
            new CountingSubscriber(response.defaultSubscriberExecutor(), completion));
      });
    }
    return all;
  }

  @Override
  public void close() {
    factories.forEach(ClientFactory::close);
    for (EventLoopGroup loop : loops) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2000);
    }
  }
}
