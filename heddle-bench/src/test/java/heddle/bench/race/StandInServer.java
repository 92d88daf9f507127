package heddle.bench.race;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The JDK's server with the greeting that races ask for, in a process of its own. */
public final class StandInServer {

  private StandInServer() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    byte[] body = "Hello!".getBytes(StandardCharsets.US_ASCII);
    server.createContext("/hello", exchange -> {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
  }
}
