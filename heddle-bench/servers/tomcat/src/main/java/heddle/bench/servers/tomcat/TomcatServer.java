package heddle.bench.servers.tomcat;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat with one servlet. By default it closes a connection after 100 requests, holds 8,192
 * connections, and runs 20 of the streams of an HTTP/2 connection at once; tuned, none of that.
 */
public final class TomcatServer implements ServerDriver {

  @Override
  public String name() {
    return "tomcat";
  }

  @Override
  public String version() {
    return ServerInfo.getServerNumber();
  }

  @Override
  public Running start(ServerConfig config) throws Exception {
    Path folder = Files.createTempDirectory("heddle-tomcat");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    Connector connector = new Connector(protocol(config));
    Http2Protocol http2 = new Http2Protocol();
    if (config.isTuned()) {
      http2.setMaxConcurrentStreams(ServerConfig.MOST_STREAMS);
      http2.setMaxConcurrentStreamExecution(ServerConfig.MOST_STREAMS);
    }
    connector.addUpgradeProtocol(http2);
    secure(connector, config.keys());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "routes", new Answering(config.routes())).addMapping("/");
    tomcat.start();
    return Running.of(connector::getLocalPort, () -> {
      tomcat.stop();
      tomcat.destroy();
    });
  }

  private static Http11NioProtocol protocol(ServerConfig config) {
    Http11NioProtocol protocol = new Http11NioProtocol();
    protocol.setAddress(config.address().getAddress());
    protocol.setPort(config.address().getPort());
    if (config.pool() > 0) {
      protocol.setMaxThreads(config.pool());
    } else {
      protocol.setExecutor(config.handlers());
    }
    if (config.isTuned()) {
      protocol.setMaxKeepAliveRequests(-1);
      protocol.setMaxConnections(ServerConfig.MOST_CONNECTIONS);
      protocol.setAcceptCount(ServerConfig.BACKLOG);
    }
    return protocol;
  }

  private static void secure(Connector connector, @Nullable KeyStore keys) throws IOException {
    if (keys == null) {
      return;
    }
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
    certificate.setCertificateKeystore(keys);
    certificate.setCertificateKeystorePassword(ServerConfig.PASSWORD);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
  }

  private static final class Answering extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient Routes routes;

    Answering(Routes routes) {
      this.routes = routes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        String query = request.getQueryString();
        String path = request.getRequestURI();
        Reply reply = routes.answer(
            request.getMethod(),
            query == null ? path : path + "?" + query,
            request.getInputStream());
        response.setStatus(reply.status());
        reply.fields().forEach(response::setHeader);
        response.setContentLengthLong(reply.length());
        reply.writeTo(response.getOutputStream());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the server ends", e);
      }
    }
  }
}
