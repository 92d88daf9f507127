package heddle.bench.race;

import heddle.http.Response;
import heddle.server.HttpServer;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server with the greeting that races ask for and a count of how often they did, in a process of
 * its own. It counts each request so many times as its argument says.
 */
public final class StandInServer {

  private StandInServer() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws Exception {
    int factor = args.length == 0 ? 1 : Integer.parseInt(args[0]);
    LongAdder requests = new LongAdder();
    HttpServer.Builder builder = HttpServer.builder().handler(request -> {
      if (request.path().equals("/counters")) {
        return Response.ok("{\"requests\":" + factor * requests.sumThenReset() + "}");
      }
      requests.increment();
      return Response.ok("Hello!");
    });
    try (HttpServer server = builder.start()) {
      System.out.println("listening on http://127.0.0.1:" + server.port());
      Thread.currentThread().join();
    }
  }
}
