package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.MultiplexConnectionPool;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.Jetty;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's client through its blocking API. Tuned, it may open as many connections as the load has
 * (64 by default), and over HTTP/2 it opens them all rather than filling one first. A request
 * object of its is sent once.
 */
public final class JettyDriver implements ClientDriver {

  private static final long HEAD_SECONDS = 60;

  private @Nullable HttpClient client;
  private HttpVersion version = HttpVersion.HTTP_1_1;

  @Override
  public String name() {
    return "jetty";
  }

  @Override
  public String version() {
    return Jetty.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
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
    client = made;
    made.start();
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

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    byte[] content = request.content();
    return () -> {
      Request made = started.newRequest(request.uri());
      if (content.length > 0) {
        made.method(HttpMethod.POST).body(new BytesRequestContent(content));
      }
      return request.isAnswerLarge() ? stream(made) : gather(made);
    };
  }

  private Answer gather(Request request) throws Exception {
    ContentResponse response = request.send();
    check(response);
    return new Answer(response.getStatus(), response.getContent().length);
  }

  private Answer stream(Request request) throws Exception {
    InputStreamResponseListener listener = new InputStreamResponseListener();
    request.send(listener);
    Response response = listener.get(HEAD_SECONDS, TimeUnit.SECONDS);
    check(response);
    try (InputStream content = listener.getInputStream()) {
      return Answer.drain(response.getStatus(), content);
    }
  }

  private void check(Response response) throws IOException {
    if (response.getVersion() != version) {
      throw new IOException("the answer came over " + response.getVersion());
    }
  }

  @Override
  public void close() throws IOException {
    if (client == null) {
      return;
    }
    try {
      client.stop();
    } catch (Exception e) {
      throw new IOException("Jetty's client did not stop", e);
    }
  }
}
