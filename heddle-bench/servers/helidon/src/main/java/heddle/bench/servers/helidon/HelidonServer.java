package heddle.bench.servers.helidon;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import io.helidon.common.Version;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.net.ssl.SSLContext;

/**
 * Helidon, which runs a virtual thread per connection over HTTP/1.1 and per stream over HTTP/2, and
 * nothing else. Its defaults limit nothing but the backlog.
 */
public final class HelidonServer implements ServerDriver {

  @Override
  public String name() {
    return "helidon";
  }

  @Override
  public String version() {
    return Version.VERSION;
  }

  @Override
  public Running start(ServerConfig config) throws Exception {
    Routes routes = config.routes();
    WebServerConfig.Builder builder = WebServer.builder()
        .shutdownHook(false)
        .address(config.address().getAddress())
        .port(config.address().getPort())
        .routing(all -> all.any((request, response) -> answer(routes, request, response)));
    if (config.isTuned()) {
      builder.backlog(ServerConfig.BACKLOG);
    }
    SSLContext tls = config.tls();
    if (tls != null) {
      builder.tls(Tls.builder().sslContext(tls).build());
    }
    WebServer server = builder.build().start();
    return Running.of(server::port, server::stop);
  }

  private static void answer(Routes routes, ServerRequest request, ServerResponse response)
      throws IOException, InterruptedException {
    String path = request.path().rawPath();
    Reply reply = routes.answer(
        request.prologue().method().text(),
        request.query().isEmpty() ? path : path + "?" + request.query().rawValue(),
        request.content().hasEntity()
            ? request.content().inputStream()
            : InputStream.nullInputStream());
    response.status(reply.status());
    reply.fields().forEach(response::header);
    byte[] bytes = reply.bytes();
    if (bytes != null) {
      response.send(bytes);
      return;
    }
    response.contentLength(reply.length());
    try (OutputStream out = response.outputStream()) {
      reply.writeTo(out);
    }
  }
}
