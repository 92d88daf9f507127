package heddle.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A program as beginners write it: it knows nothing of Heddle. Prints its two ports. */
public final class Newcomer {
  private Newcomer() {}

  private static final class Hello implements HttpHandler {
    @Override
    public void handle(HttpExchange exchange) throws IOException {
      String response = "Hello, " + exchange.getRequestURI().getPath().substring(1) + "!";
      exchange.sendResponseHeaders(200, response.getBytes().length);
      OutputStream out = exchange.getResponseBody();
      out.write(response.getBytes());
      out.close();
    }
  }

  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", new Hello());
    server.setExecutor(null); // creates a default executor
    server.start();

    HttpServer files = SimpleFileServer.createFileServer(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Path.of(args[0]),
        SimpleFileServer.OutputLevel.VERBOSE);
    files.createContext("/stop", exchange -> {
      exchange.sendResponseHeaders(204, -1);
      new Thread(() -> {
            server.stop(0);
            files.stop(0);
          })
          .start();
    });
    files.start();
    System.err.println(server.getAddress().getPort() + " " + files.getAddress().getPort() + " "
        + server.getClass().getName());
  }
}
