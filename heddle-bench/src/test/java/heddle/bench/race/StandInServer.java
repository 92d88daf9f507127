package heddle.bench.race;

import heddle.bench.routes.ExperimentRoutes;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server in its own process with the greeting of races for every path but {@code /bytes/}, and a
 * count of requests. It counts each request as many times as its argument says.
 */
public final class StandInServer {

  private StandInServer() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws Exception {
    int factor = args.length == 0 ? 1 : Integer.parseInt(args[0]);
    LongAdder requests = new LongAdder();
    ExperimentRoutes routes = new ExperimentRoutes();
    HttpServer.Builder builder = HttpServer.builder().handler(request -> {
      if (request.path().equals("/counters")) {
        return Response.ok("{\"requests\":" + factor * requests.sumThenReset() + "}");
      }
      requests.increment();
      return request.path().startsWith("/bytes/") ? routes.handle(request) : Response.ok("Hello!");
    });
    try (HttpServer server = builder.start()) {
      System.out.println("listening on http://127.0.0.1:" + server.port());
      Thread.currentThread().join();
    }
  }
}
