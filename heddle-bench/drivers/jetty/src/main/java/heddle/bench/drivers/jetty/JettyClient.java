package heddle.bench.drivers.jetty;

import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.MultiplexConnectionPool;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Jetty's client as its drivers use it, whether they block or not. */
final class JettyClient {

  private @Nullable HttpClient client;
  private HttpVersion version = HttpVersion.HTTP_1_1;

  void start(DriverConfig config) throws Exception {
    version = config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    ClientConnector connector = new ClientConnector();
    if (config.isTls()) {
      SslContextFactory.Client tls = new SslContextFactory.Client();
      tls.setSslContext(config.wire().trust().context());
      connector.setSslContextFactory(tls);
    }
    HttpClient made = new HttpClient(
        config.isHttp2() ? http2(config, connector) : new HttpClientTransportOverHTTP(connector));
    if (config.isTuned()) {
      made.setMaxConnectionsPerDestination(config.wire().connections());
      made.setMaxRequestsQueuedPerDestination(
          Math.max(config.wire().exchanges(), made.getMaxRequestsQueuedPerDestination()));
    }
    made.start();
    client = made;
  }

  private static HttpClientTransport http2(DriverConfig config, ClientConnector connector) {
    HTTP2Client engine = new HTTP2Client(connector);
    HttpClientTransport transport = new HttpClientTransportOverHTTP2(engine);
    if (config.isTuned()) {
      int connections = config.wire().connections();
      int streams = config.wire().streams();
      transport.setConnectionPoolFactory(destination -> {
        MultiplexConnectionPool pool =
            new MultiplexConnectionPool(destination, connections, streams);
        pool.setMaximizeConnections(true);
        return pool;
      });
    }
    return transport;
  }

  /** Returns what creates requests, because a request object is sent once. */
  Supplier<Request> requests(DriverRequest request) {
    HttpClient started = Objects.requireNonNull(client, "the driver was not started");
    byte[] content = request.content();
    return () -> request(started, request, content);
  }

  private static Request request(HttpClient client, DriverRequest request, byte[] content) {
    Request made = client.newRequest(request.uri());
    if (content.length == 0) {
      return made;
    }
    String type = request.contentType();
    return made.method(HttpMethod.POST)
        .body(
            type == null
                ? new BytesRequestContent(content)
                : new BytesRequestContent(type, content));
  }

  /** Throws if the response came over another version than the load's. */
  void check(Response response) throws IOException {
    if (response.getVersion() != version) {
      throw new IOException("the answer came over " + response.getVersion());
    }
  }

  void stop() throws IOException {
    HttpClient started = client;
    if (started == null) {
      return;
    }
    try {
      started.stop();
    } catch (Exception e) {
      throw new IOException("Jetty's client did not stop", e);
    }
  }
}
