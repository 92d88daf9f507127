package heddle.bench.servers.undertow;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.Version;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.Options;

/**
 * Undertow, whose requests run on its workers or on any executor. By default it supports HTTP/1.1
 * only; HTTP/2 is on here, and its other defaults limit nothing but the backlog.
 */
public final class UndertowServer implements ServerDriver {

  @Override
  public String name() {
    return "undertow";
  }

  @Override
  public String version() {
    return Version.getVersionString();
  }

  @Override
  public Running start(ServerConfig config) throws Exception {
    Executor workers = config.pool() > 0 ? null : config.handlers();
    Undertow.Builder builder = Undertow.builder()
        .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
        .setHandler(new Answering(config.routes(), workers));
    if (config.pool() > 0) {
      builder.setWorkerThreads(config.pool());
    }
    if (config.isTuned()) {
      builder.setSocketOption(Options.BACKLOG, ServerConfig.BACKLOG);
    }
    String host = config.address().getHostString();
    SSLContext tls = config.tls();
    if (tls == null) {
      builder.addHttpListener(config.address().getPort(), host);
    } else {
      builder.addHttpsListener(config.address().getPort(), host, tls);
    }
    Undertow server = builder.build();
    server.start();
    return Running.of(
        () -> ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort(),
        server::stop);
  }

  /**
   * Runs each request on the workers.
   *
   * @param workers null for Undertow's
   */
  private record Answering(Routes routes, @Nullable Executor workers) implements HttpHandler {

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
      if (exchange.isInIoThread()) {
        exchange.dispatch(workers, this);
        return;
      }
      String query = exchange.getQueryString();
      String path = exchange.getRequestURI();
      Reply reply = routes.answer(
          exchange.getRequestMethod().toString(),
          query.isEmpty() ? path : path + "?" + query,
          content(exchange));
      exchange.setStatusCode(reply.status());
      reply.fields().forEach((name, value) -> exchange
          .getResponseHeaders()
          .put(HttpString.tryFromString(name), value));
      exchange.getResponseHeaders().put(Headers.CONTENT_LENGTH, reply.length());
      byte[] bytes = reply.bytes();
      if (bytes == null) {
        if (!exchange.isBlocking()) {
          exchange.startBlocking();
        }
        reply.writeTo(exchange.getOutputStream());
        exchange.endExchange();
      } else {
        exchange.getResponseSender().send(ByteBuffer.wrap(bytes));
      }
    }

    private static InputStream content(HttpServerExchange exchange) {
      if (exchange.isRequestComplete()) {
        return InputStream.nullInputStream();
      }
      exchange.startBlocking();
      return exchange.getInputStream();
    }
  }
}
