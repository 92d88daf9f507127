package heddle.examples.guide;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.web.Problem;
import heddle.web.Router;
import heddle.web.SetCookie;
import heddle.web.files.StaticFiles;
import heddle.web.filter.AccessLog;
import heddle.web.filter.Compression;
import heddle.web.filter.Cors;
import heddle.web.form.FormData;
import heddle.web.testkit.TestExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The code of docs/guide/web.md. */
final class Web {
  /** An item of a shop. */
  record Item(int id, String name) {}

  /** Thrown by a store. */
  static final class NoSuchItem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoSuchItem(int id) {
      super("there is no item " + id);
    }
  }

  private static final class Store {
    private final Map<Integer, Item> items = new ConcurrentHashMap<>();

    Item add(Item item) {
      items.put(item.id(), item);
      return item;
    }

    Item get(int id) {
      Item item = items.get(id);
      if (item == null) {
        throw new NoSuchItem(id);
      }
      return item;
    }
  }

  private Web() {}

  static HttpServer routes() throws IOException {
    // doc: routes
    Router router = Router.builder()
        .get(
            "/hello/{name}",
            exchange -> Response.ok("Hello, " + exchange.path("name").asString()))
        .get(
            "/sum",
            exchange -> Response.ok(
                "" + (exchange.query("a").asInt() + exchange.query("b").asInt(0))))
        .any("/files/{path...}", exchange -> Response.ok("" + exchange.segments("path")))
        .build();
    HttpServer server = HttpServer.builder().port(0).exchangeHandler(router).start();
    // doc: end
    return server;
  }

  static Router json() {
    Store store = new Store();
    // doc: json
    Router router = Router.builder()
        .group("/items", items -> items
            .post("", exchange -> exchange.respond(201, store.add(exchange.bodyAs(Item.class))))
            .get(
                "/{id}",
                exchange -> exchange.respond(store.get(exchange.path("id").asInt()))))
        .onError(
            NoSuchItem.class,
            (exchange, e) -> exchange.respond(Problem.of(404).detail(e.getMessage())))
        .build();
    // doc: end
    return router;
  }

  static Router forms() {
    // doc: forms
    Router router = Router.builder()
        .post("/profile", exchange -> {
          try (FormData form = exchange.form()) {
            SetCookie cookie = SetCookie.builder("name", "" + form.first("name"))
                .maxAge(Duration.ofDays(30))
                .httpOnly(true)
                .build();
            return Response.builder(Status.SEE_OTHER)
                .header("Location", "/profile")
                .header("Set-Cookie", cookie.toString())
                .build();
          }
        })
        .get("/profile", exchange -> Response.ok("You are " + exchange.cookie("name")))
        .build();
    // doc: end
    return router;
  }

  static Router filters(Path site, Consumer<String> log) throws IOException {
    // doc: filters
    StaticFiles files = StaticFiles.directory(site)
        .cacheControl("assets/**", "public, max-age=31536000, immutable")
        .build();
    Router router = Router.builder()
        .filter(AccessLog.builder(log).route(Router.ROUTE).build())
        .filter(Compression.defaults())
        .group("/api", api -> api.filter(
                Cors.builder().origins("https://shop.example.com").build())
            .get("/time", exchange -> Response.ok("noon")))
        .any("/{file...}", files::handle)
        .build();
    // doc: end
    return router;
  }

  static String tested(Router router) throws Exception {
    // doc: test
    Request request = Request.get("http://test/hello/Ada");
    Response response = TestExchange.call(router, request);
    // doc: end
    return response.string();
  }
}
