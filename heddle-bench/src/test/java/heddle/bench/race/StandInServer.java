package heddle.bench.race;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * The JDK's server with the greeting that races ask for and a count of how often they did, in a
 * process of its own. It counts each request so many times as its argument says.
 */
public final class StandInServer {

  private StandInServer() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    int factor = args.length == 0 ? 1 : Integer.parseInt(args[0]);
    LongAdder requests = new LongAdder();
    byte[] body = "Hello!".getBytes(US_ASCII);
    server.createContext("/counters", exchange -> {
      byte[] counts =
          ("{\"requests\":" + factor * requests.sumThenReset() + "}").getBytes(US_ASCII);
      exchange.sendResponseHeaders(200, counts.length);
      exchange.getResponseBody().write(counts);
      exchange.close();
    });
    server.createContext("/hello", exchange -> {
      requests.increment();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
  }
}
