package heddle.jersey.server;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.server.HttpServer;
import java.io.IOException;
import java.net.URI;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** What runs an application of Jersey, and the version of HTTP that its client speaks. */
enum Host {
  HEDDLE,
  HEDDLE_HTTP2,
  GRIZZLY;

  /** An application that runs, and a client for it. */
  record Running(int port, HttpClient client, AutoCloseable server) implements AutoCloseable {
    String url(String path) {
      return "http://127.0.0.1:" + port + path;
    }

    @Override
    public void close() throws Exception {
      client.close();
      server.close();
    }
  }

  Running start(ResourceConfig application) throws IOException {
    HttpVersion version = this == HEDDLE_HTTP2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    HttpClient client = HttpClient.builder().version(version).build();
    if (this == GRIZZLY) {
      var server = GrizzlyHttpServerFactory.createHttpServer(
          URI.create("http://127.0.0.1:0/"), application, false);
      server.start();
      NetworkListener listener = server.getListeners().iterator().next();
      return new Running(listener.getPort(), client, server::shutdownNow);
    }
    JerseyHandler handler = JerseyHandler.of(application);
    HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
    return new Running(server.port(), client, () -> {
      server.close();
      handler.close();
    });
  }
}
