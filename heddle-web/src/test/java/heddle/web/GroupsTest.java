package heddle.web;

import static heddle.web.Calls.answer;
import static heddle.web.Calls.call;
import static heddle.web.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.ForwardingExchange;
import heddle.server.spi.RefusedRequest;
import heddle.web.testkit.TestExchange;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups with their filters, and hosts. */
final class GroupsTest {
  private final List<String> ran = new ArrayList<>();

  private Filter noting(String name) {
    return (exchange, next) -> {
      ran.add(name);
      try {
        return next.handle(exchange);
      } finally {
        ran.add("-" + name);
      }
    };
  }

  /** Notes what the server has refused. */
  private Filter notingRefused(String name) {
    return new Filter() {
      @Override
      public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
        return next.handle(exchange);
      }

      @Override
      public void refused(RefusedRequest request) {
        ran.add(name + " " + request.requestLine());
      }
    };
  }

  private final Router router = Router.builder()
      .get("/out", exchange -> Response.ok("out"))
      .group("/api", api -> api.get("/items", exchange -> Response.ok("items"))
          .get("", exchange -> Response.ok("api"))
          .get("/", exchange -> Response.ok("api/"))
          .filter(noting("api"))
          .group("/users/{id}", user -> user.filter(noting("user"))
              .get(
                  "/name", exchange -> Response.ok("name " + exchange.path("id").asInt()))
              .put("/both", exchange -> Response.ok("both")))
          .get("/users/{id}/both", exchange -> Response.ok("both")))
      .filter(noting("1"))
      .filter(noting("2"))
      .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /out | 200 out | 1, 2, -2, -1",
        "GET | /api | 200 api | 1, 2, api, -api, -2, -1",
        "GET | /api/ | 200 api/ | 1, 2, api, -api, -2, -1",
        "GET | /api/items | 200 items | 1, 2, api, -api, -2, -1",
        "GET | /api/users/7/name | 200 name 7 | 1, 2, api, user, -user, -api, -2, -1"
      })
  void filtersRunFromTheRouterInwards(String method, String target, String expected, String filters)
      throws Exception {
    assertEquals(expected, answer(router, Method.of(method), target));
    assertEquals("[" + filters + "]", ran.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /none | 404 | 1, 2, -2, -1",
        "GET | /api/none | 404 | 1, 2, -2, -1",
        "GET | /api/.. | 400 | 1, 2, -2, -1",
        "POST | /out | 405 | 1, 2, -2, -1",
        "POST | /api/items | 405 | 1, 2, api, -api, -2, -1",
        "POST | /api/users/7/name | 405 | 1, 2, api, user, -user, -api, -2, -1",
        "POST | /api/users/7/both | 405 | 1, 2, api, -api, -2, -1",
        "OPTIONS | /api/users/7/name | 204 | 1, 2, api, user, -user, -api, -2, -1",
        "OPTIONS | * | 204 | 1, 2, -2, -1"
      })
  void filtersOfTheGroupOfThePathRunWithoutARoute(
      String method, String target, int status, String filters) throws Exception {
    assertEquals(status, call(router, Method.of(method), target).status().code());
    assertEquals("[" + filters + "]", ran.toString());
  }

  @Test
  void filtersThatOnlySomeRoutesOfAPathHaveDoNotRunWithoutARoute() throws Exception {
    Router siblings = Router.builder()
        .filter(noting("1"))
        .group("/a", a -> a.filter(noting("a"))
            .group("", get -> get.filter(noting("get")).get("/x", exchange -> Response.ok("")))
            .group("", post -> post.filter(noting("post")).post("/x", exchange -> Response.ok(""))))
        .build();
    assertEquals(405, call(siblings, Method.PUT, "/a/x").status().code());
    assertEquals(List.of("1", "a", "-a", "-1"), ran);
  }

  @Test
  void theRoutersFiltersHearOfRequestsThatTheServerRefuses() {
    Router inner = Router.builder()
        .filter(notingRefused("1"))
        .filter(noting("2"))
        .filter(notingRefused("3"))
        .group("/a", a -> a.filter(notingRefused("a")).get("", exchange -> Response.ok("")))
        .build();
    InetSocketAddress peer = InetSocketAddress.createUnresolved("peer", 1);
    notingRefused("0")
        .before(noting("none").before(inner))
        .refused(new RefusedRequest(peer, "x", Headers.empty(), null));
    assertEquals(List.of("0 x", "1 x", "3 x"), ran);
  }

  @Test
  void aFilterCanAnswerInsteadOfTheHandler() throws Exception {
    Router closed = Router.builder()
        .group("", group -> group
            .filter((exchange, next) -> {
              throw new ProblemException(401, "who are you?");
            })
            .get("/in", exchange -> Response.ok("in")))
        .get("/out", exchange -> Response.ok("out"))
        .build();
    assertEquals(401, get(closed, "/in").status().code());
    assertEquals(401, call(closed, Method.POST, "/in").status().code());
    assertEquals(200, get(closed, "/out").status().code());
  }

  @Test
  void filtersKnowTheRoute() throws Exception {
    AtomicReference<String> route = new AtomicReference<>();
    AtomicReference<String> id = new AtomicReference<>();
    Router named = Router.builder()
        .filter((exchange, next) -> {
          route.set(exchange.get(Router.ROUTE));
          if (route.get() != null) {
            id.set(WebExchange.of(exchange).path("id").asString());
          }
          return next.handle(exchange);
        })
        .group("/users", users -> users.get("/{id}", exchange -> Response.ok("")))
        .build();
    TestExchange exchange = TestExchange.of(request("localhost", "/users/7"));
    exchange.call(named);
    assertEquals("/users/{id}", route.get());
    assertEquals("7", id.get());
    assertEquals("/users/{id}", exchange.get(Router.ROUTE), "for filters before the router");
    get(named, "/none");
    assertNull(route.get());
  }

  @Test
  void aFilterCanPassAnotherExchangeOn() throws Exception {
    Filter changing = (exchange, next) -> next.handle(new ForwardingExchange(exchange) {
      @Override
      public Request request() {
        return Request.builder(Calls.ORIGIN, Method.GET, "/changed?q=2").build();
      }

      @Override
      public OutputStream begin(Response head) {
        return super.begin(head.toBuilder().header("X-Changed", "yes").build());
      }
    });
    Router changed = Router.builder()
        .filter(changing)
        .get("/a/{id}", exchange -> {
          try (Writer out = exchange.writer(Response.ok(Body.empty()))) {
            out.write(exchange.path("id").asString() + exchange.query("q").asString());
          }
          return null;
        })
        .build();
    Response response = get(changed, "/a/7?q=1");
    assertEquals("yes", response.headers().first("X-Changed"));
    assertEquals("72", response.string());
  }

  @Test
  void anExchangeOfARouterIsItself() throws Exception {
    AtomicReference<Exchange> seen = new AtomicReference<>();
    Router same = Router.builder()
        .filter((exchange, next) -> {
          seen.set(exchange);
          return next.handle(exchange);
        })
        .get("/", exchange -> {
          assertSame(seen.get(), exchange);
          return Response.ok("");
        })
        .build();
    assertEquals(200, get(same, "/").status().code());
  }

  private static Request request(String host, String target) {
    return Request.builder(Origin.http(host, 8080), Method.GET, target).build();
  }

  private static WebHandler says(String name) {
    return exchange -> Response.ok(name);
  }

  private final Router hosts = Router.builder()
      .host("api.example.com", api -> api.get("/", says("api"))
          .onStatus(404, (exchange, e) -> Response.builder(Status.NOT_FOUND)
              .body(Body.of("no api"))
              .build()))
      .host("*.example.com", all -> all.get("/", says("all")))
      .host("*.deep.example.com", all -> all.get("/", says("deep")))
      .host("[::1]", local -> local.get("/", says("local")))
      .get("/", says("other"))
      .get("/more", says("more"))
      .filter(noting("router"))
      .build();

  @ParameterizedTest
  @CsvSource({
    "api.example.com, /, 200 api",
    "API.example.com, /, 200 api",
    "api.example.com., /, 200 api",
    "api.example.com, /more, 404 no api",
    "www.example.com, /, 200 all",
    "a.b.example.com, /, 200 all",
    "a.b.deep.example.com, /, 200 deep",
    "deep.example.com, /, 200 all",
    "example.com, /, 200 other",
    "example.com, /more, 200 more",
    "badexample.com, /, 200 other",
    "::1, /, 200 local",
    "127.0.0.1, /, 200 other"
  })
  void aHostHasItsRoutes(String host, String target, String expected) throws Exception {
    Response response = TestExchange.call(hosts, request(host, target));
    assertEquals(expected, response.status().code() + " " + response.string());
    assertEquals(List.of("router", "-router"), ran);
  }

  @Test
  void anUnknownHostIsMisdirectedIfThereAreOnlyOthers() throws Exception {
    Router only = Router.builder().host("a.example", a -> a.get("/", says("a"))).build();
    assertEquals(
        200, TestExchange.call(only, request("a.example", "/")).status().code());
    assertEquals(
        421, TestExchange.call(only, request("b.example", "/")).status().code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "*.", "a b", "a.example:80", "::1", "a.example", "A.example."})
  void aHostThatIsNoneOrKnownIsRefused(String name) {
    Router.Builder builder = Router.builder().host("a.example", a -> {});
    assertThrows(IllegalArgumentException.class, () -> builder.host(name, a -> {}));
  }
}
