package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Contexts, filters, authenticators, attributes, and the life of a server. */
final class ContextScenes {
  private static final HttpHandler PATH =
      exchange -> Stage.reply(exchange, exchange.getHttpContext().getPath());

  private ContextScenes() {}

  static Map<String, Stage.Scene> all() {
    Map<String, Stage.Scene> all = new LinkedHashMap<>();
    all.put("the longest path", ContextScenes::longest);
    all.put("no context, no handler", ContextScenes::missing);
    all.put("contexts that change", ContextScenes::changed);
    all.put("contexts that are refused", ContextScenes::refused);
    all.put("filters", ContextScenes::filters);
    all.put("filters of the API", ContextScenes::ownFilters);
    all.put("an authenticator", ContextScenes::authenticator);
    all.put("passwords", ContextScenes::passwords);
    all.put("attributes", ContextScenes::attributes);
    all.put("names without an address", ContextScenes::unresolved);
    all.put("the order of calls", ContextScenes::order);
    all.put("stopping", ContextScenes::stopping);
    return all;
  }

  private static void longest(Stage stage) throws Exception {
    for (String path : new String[] {"/a", "/a/b", "/a/b/", "/A", "/d/"}) {
      stage.server.createContext(path, PATH);
    }
    stage.server.start();
    String[] targets = {
      "/a", "/a/", "/ab", "/a/b", "/a/bc", "/a/b/", "/a/b/c", "/A/x", "/%61/b", "/a/../d", "/d",
      "/d/", "/d/e", "/", "/b"
    };
    for (String target : targets) {
      try (Peer peer = stage.peer()) {
        peer.get(target);
        stage.noteAnswer(peer);
      }
    }
  }

  private static void missing(Stage stage) throws Exception {
    HttpContext empty = stage.server.createContext("/empty");
    stage.server.createContext("/there", PATH);
    stage.server.start();
    for (String target : new String[] {"/empty", "/other"}) {
      try (Peer peer = stage.peer()) {
        peer.get(target);
        Peer.Answer answer = peer.answer();
        stage.note(answer);
        stage.note(answer.has("connection: close"));
        stage.note(peer.isEnded());
      }
    }
    empty.setHandler(PATH);
    stage.noteFailure("another handler", () -> empty.setHandler(PATH));
    stage.noteFailure("no handler", () -> empty.setHandler(null));
    try (Peer peer = stage.peer()) {
      peer.get("/empty");
      stage.noteAnswer(peer);
    }
  }

  private static void changed(Stage stage) throws Exception {
    HttpContext first = stage.server.createContext("/a", PATH);
    stage.server.start();
    try (Peer peer = stage.peer()) {
      peer.get("/a/b");
      stage.noteAnswer(peer);
      stage.server.createContext("/a/b", PATH);
      peer.get("/a/b");
      stage.noteAnswer(peer);
      stage.server.removeContext("/a/b");
      peer.get("/a/b");
      stage.noteAnswer(peer);
      stage.server.removeContext(first);
      peer.get("/a/b");
      stage.noteAnswer(peer);
    }
  }

  private static void refused(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/a", PATH);
    stage.noteFailure("the same", () -> stage.server.createContext("/a", PATH));
    stage.noteFailure("no slash", () -> stage.server.createContext("a", PATH));
    stage.noteFailure("empty", () -> stage.server.createContext("", PATH));
    stage.noteFailure("null path", () -> stage.server.createContext(null, PATH));
    stage.noteFailure("null path alone", () -> stage.server.createContext(null));
    stage.noteFailure("null handler", () -> stage.server.createContext("/b", null));
    stage.noteFailure("remove another", () -> stage.server.removeContext("/a/"));
    stage.noteFailure("remove null", () -> stage.server.removeContext((String) null));
    stage.noteFailure("remove", () -> stage.server.removeContext(context));
    stage.noteFailure("remove again", () -> stage.server.removeContext(context));
    stage.noteFailure("remove path again", () -> stage.server.removeContext("/a"));
    stage.noteFailure("create again", () -> stage.server.createContext("/a", PATH));
  }

  private static Filter filter(Stage stage, String name) {
    return new Filter() {
      @Override
      public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        stage.note(name + " before");
        exchange.getResponseHeaders().add("X-Filter", name);
        if (!name.equals(exchange.getRequestURI().getQuery())) {
          chain.doFilter(exchange);
        } else {
          exchange.sendResponseHeaders(403, -1);
        }
        stage.note(name + " after");
      }

      @Override
      public String description() {
        return name;
      }
    };
  }

  private static void filters(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/", exchange -> {
      stage.note("handler");
      Stage.reply(exchange, "ok");
    });
    var done = new Semaphore(0); // The filters go on after the response is sent.
    context.getFilters().add(Filter.afterHandler("done", exchange -> done.release()));
    context.getFilters().add(filter(stage, "one"));
    context.getFilters().add(filter(stage, "two"));
    context.setAuthenticator(new Authenticator() {
      @Override
      public Result authenticate(HttpExchange exchange) {
        stage.note("authenticator");
        return new Success(new HttpPrincipal("me", "realm"));
      }
    });
    stage.server.start();
    for (String query : new String[] {"one", "two", "three"}) {
      try (Peer peer = stage.peer()) {
        peer.send("GET /?" + query + " HTTP/1.1\r\nConnection: close\r\n\r\n");
        stage.noteAnswer(peer);
        stage.note(peer.isEnded());
      }
      assertTrue(done.tryAcquire(20, TimeUnit.SECONDS));
    }
  }

  private static void ownFilters(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/", exchange -> {
      stage.note(exchange.getRequestHeaders().getFirst("x-added"));
      Stage.reply(exchange, exchange.getRequestMethod());
    });
    context
        .getFilters()
        .add(Filter.adaptRequest("", r -> r.with("X-Added", java.util.List.of("1"))));
    context.getFilters().add(Filter.beforeHandler("", e -> e.getResponseHeaders()
        .set("X-B", "2")));
    stage.server.start();
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void authenticator(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/", exchange -> {
      stage.note(exchange.getPrincipal());
      stage.note(exchange.getPrincipal().getRealm());
      Stage.reply(exchange, "in");
    });
    Authenticator authenticator = new Authenticator() {
      @Override
      public Result authenticate(HttpExchange exchange) {
        return switch (exchange.getRequestURI().getPath()) {
          case "/failure" -> new Failure(403);
          case "/retry" -> new Retry(407);
          default -> new Success(new HttpPrincipal("me", "here"));
        };
      }
    };
    stage.note(context.setAuthenticator(authenticator));
    stage.note(context.setAuthenticator(authenticator) == authenticator);
    stage.note(context.getAuthenticator() == authenticator);
    stage.server.start();
    try (Peer peer = stage.peer()) {
      for (String path : new String[] {"/failure", "/retry", "/"}) {
        peer.send("POST " + path + " HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
        stage.noteAnswer(peer);
      }
    }
  }

  private static void passwords(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/", exchange -> {
      stage.note(exchange.getPrincipal());
      Stage.reply(exchange, "in");
    });
    context.setAuthenticator(new BasicAuthenticator("here", StandardCharsets.UTF_8) {
      @Override
      public boolean checkCredentials(String name, String password) {
        return name.equals("m\u00fcller") && password.equals("\u20ac");
      }
    });
    stage.server.start();
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
      for (String credentials : new String[] {"m\u00fcller:\u20ac", "m\u00fcller:no"}) {
        String encoded =
            Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        peer.send("GET / HTTP/1.1\r\nAuthorization: Basic " + encoded + "\r\n\r\n");
        stage.noteAnswer(peer);
      }
    }
  }

  private static void attributes(Stage stage) throws Exception {
    HttpContext context = stage.server.createContext("/", exchange -> {
      stage.note(exchange.getAttribute("of context"));
      stage.note(exchange.getAttribute("of exchange"));
      exchange.setAttribute("of exchange", exchange.getRequestURI());
      stage.note(exchange.getAttribute("of exchange"));
      exchange.setAttribute("of context", null);
      stage.note(exchange.getAttribute("of context"));
      stage.noteFailure("null", () -> exchange.getAttribute(null));
      stage.noteFailure("set null", () -> exchange.setAttribute(null, ""));
      Stage.reply(exchange, "");
    });
    context.getAttributes().put("of context", "value");
    stage.server.start();
    try (Peer peer = stage.peer()) {
      for (int i = 0; i < 2; i++) {
        peer.get("/" + i);
        stage.noteAnswer(peer);
      }
    }
    stage.note(context.getAttributes());
  }

  private static void unresolved(Stage stage) throws Exception {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("host.invalid", 0);
    stage.noteFailure("create", () -> stage.provider.createHttpServer(unknown, 0));
    stage.noteFailure("create for HTTPS", () -> stage.provider.createHttpsServer(unknown, 0));
    HttpServer server = stage.provider.createHttpServer(null, 0);
    stage.noteFailure("bind", () -> server.bind(unknown, 0));
    stage.note(server.getAddress());
    stage.noteFailure(
        "bind to another",
        () -> server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    server.stop(0);
  }

  private static void order(Stage stage) throws Exception {
    InetSocketAddress other = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    stage.noteFailure("bind twice", () -> stage.server.bind(other, 0));
    stage.noteFailure("null address", () -> stage.server.bind(null, 0));
    stage.note(stage.server.getAddress().getPort() > 0);
    stage.noteFailure("start", stage.server::start);
    stage.noteFailure("start twice", stage.server::start);
    stage.noteFailure("executor", () -> stage.server.setExecutor(null));
    stage.noteFailure("negative delay", () -> stage.server.stop(-1));
    stage.noteFailure("stop", () -> stage.server.stop(0));
    stage.noteFailure("stop twice", () -> stage.server.stop(1));
    stage.noteFailure("start after stop", stage.server::start);
    stage.note(stage.server.getAddress().getPort() > 0);
    stage.noteFailure("a context", () -> stage.server.createContext("/late", PATH));
  }

  private static void stopping(Stage stage) throws Exception {
    stage.serve(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/stop")) {
        Thread.ofPlatform().start(() -> stage.server.stop(20));
        while (accepts(stage)) {
          Thread.onSpinWait();
        }
      }
      Stage.reply(exchange, "served");
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
      peer.get("/stop");
      stage.noteAnswer(peer);
      stage.note(peer.isEnded());
    }
    stage.note(accepts(stage));
  }

  private static boolean accepts(Stage stage) {
    try {
      stage.peer().close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
