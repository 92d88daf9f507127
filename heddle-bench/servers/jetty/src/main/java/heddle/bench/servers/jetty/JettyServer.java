package heddle.bench.servers.jetty;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Jetty;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty with a blocking handler and no servlets. Requests run on its pool, which has threads for
 * the connections in addition, or on virtual threads. Its defaults limit nothing but the backlog.
 */
public final class JettyServer implements ServerDriver {

  @Override
  public String name() {
    return "jetty";
  }

  @Override
  public String version() {
    return Jetty.VERSION;
  }

  @Override
  public Running start(ServerConfig config) throws Exception {
    QueuedThreadPool pool = new QueuedThreadPool();
    Server server = new Server(pool);
    ServerConnector connector = connector(server, config);
    if (config.pool() > 0) {
      int ofConnections =
          connector.getAcceptors() + connector.getSelectorManager().getSelectorCount();
      pool.setMaxThreads(config.pool() + ofConnections);
    } else {
      pool.setVirtualThreadsExecutor(config.handlers());
    }
    connector.setHost(config.address().getHostString());
    connector.setPort(config.address().getPort());
    if (config.isTuned()) {
      connector.setAcceptQueueSize(ServerConfig.BACKLOG);
    }
    server.addConnector(connector);
    server.setHandler(new Answering(config.routes()));
    server.start();
    return Running.of(connector::getLocalPort, server::stop);
  }

  private static ServerConnector connector(Server server, ServerConfig config) {
    HttpConfiguration http = new HttpConfiguration();
    HttpConnectionFactory http1 = new HttpConnectionFactory(http);
    KeyStore keys = config.keys();
    if (keys == null) {
      return new ServerConnector(server, http1, new HTTP2CServerConnectionFactory(http));
    }
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStore(keys);
    tls.setKeyStorePassword(ServerConfig.PASSWORD);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    return new ServerConnector(server, tls, alpn, new HTTP2ServerConnectionFactory(http), http1);
  }

  private static final class Answering extends Handler.Abstract {

    private final Routes routes;

    Answering(Routes routes) {
      this.routes = routes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Reply reply = routes.answer(
          request.getMethod(),
          request.getHttpURI().getPathQuery(),
          Content.Source.asInputStream(request));
      response.setStatus(reply.status());
      reply.fields().forEach(response.getHeaders()::put);
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.length());
      byte[] bytes = reply.bytes();
      if (bytes != null) {
        response.write(true, ByteBuffer.wrap(bytes), callback);
        return true;
      }
      try (OutputStream out = Content.Sink.asOutputStream(response)) {
        reply.writeTo(out);
      }
      callback.succeeded();
      return true;
    }
  }
}
