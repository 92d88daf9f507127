package heddle.jmh;

import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.ExchangeHandler;
import heddle.web.Router;
import heddle.web.testkit.TestExchange;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a router with 100 routes adds to a handler, both called without a server. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Routing {
  private static final Origin ORIGIN = Origin.http("localhost", 8080);

  private final ExchangeHandler bare = exchange -> Response.ok("hello");
  private final Router router = router();
  private final Request hello = request("/hello");
  private final Request item = request("/api/r42/items/4711?expand=lines");
  private final Request encoded = request("/api/r42/items/caf%C3%A9");
  private final Request missing = request("/api/r42/none");

  private static Request request(String target) {
    return Request.builder(ORIGIN, Method.GET, target).build();
  }

  private static Router router() {
    Router.Builder builder = Router.builder()
        .get("/hello", exchange -> Response.ok("hello"))
        .group("/api", api -> {
          api.filter((exchange, next) -> next.handle(exchange));
          for (int i = 0; i < 49; i++) {
            api.get("/r" + i, exchange -> Response.ok("all"));
            api.get(
                "/r" + i + "/items/{id}",
                exchange -> Response.ok(exchange.path("id").asString()));
          }
        });
    return builder.get("/", exchange -> Response.ok("root")).build();
  }

  @Benchmark
  public Response bareHandler() throws Exception {
    return TestExchange.call(bare, hello);
  }

  @Benchmark
  public Response literalPath() throws Exception {
    return TestExchange.call(router, hello);
  }

  @Benchmark
  public Response parameterInAGroupWithAFilter() throws Exception {
    return TestExchange.call(router, item);
  }

  @Benchmark
  public Response encodedParameter() throws Exception {
    return TestExchange.call(router, encoded);
  }

  @Benchmark
  public Response noRoute() throws Exception {
    return TestExchange.call(router, missing);
  }
}
