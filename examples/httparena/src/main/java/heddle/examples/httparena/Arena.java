package heddle.examples.httparena;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.GenericType;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.transport.tls.TlsOptions;
import heddle.web.ProblemException;
import heddle.web.Router;
import heddle.web.WebExchange;
import heddle.web.files.StaticFiles;
import heddle.web.filter.Compression;
import heddle.websocket.Message;
import heddle.websocket.WebSocketHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * An entry for HttpArena: the routes that its profiles ask for, in the way an application would
 * write them. Cleartext on one port, HTTP/2 with prior knowledge on another, and TLS on two more if
 * there is a certificate.
 */
final class Arena implements AutoCloseable {
  /** The profile of delays asks for up to a second. */
  private static final int MAX_DELAY_MILLIS = 60_000;

  /** HTTP/1.1 alone is refused where a profile measures HTTP/2. */
  private static final Filter ONLY_HTTP2 =
      (exchange, next) -> exchange.version() == HttpVersion.HTTP_2
          ? next.handle(exchange)
          : Response.of(Status.HTTP_VERSION_NOT_SUPPORTED);

  private final List<Item> items;
  private final Router router;
  private final List<HttpServer> servers = new ArrayList<>();

  /**
   * Starts the servers.
   *
   * @param data the directory with dataset.json and static
   * @param host the address to listen on
   * @param ports of HTTP/1.1, of HTTP/2 in cleartext, and of TLS for HTTP/1.1 and HTTP/2; 0 for one
   *     that the system chooses
   * @param tls null to leave the last two out
   */
  Arena(Path data, InetAddress host, Ports ports, @Nullable TlsOptions tls) throws IOException {
    try (InputStream in = Files.newInputStream(data.resolve("dataset.json"))) {
      Object read = BodyCodec.installed().decode(in, new GenericType<List<Item>>() {}.type());
      items = ((List<?>) read).stream().map(Item.class::cast).toList();
    }
    router = router(data.resolve("static"));
    try {
      start(host, ports.plain(), router, null);
      start(host, ports.http2(), ONLY_HTTP2.before(router), null);
      if (tls != null) {
        start(host, ports.tls(), router, tls);
        start(host, ports.http2Tls(), router, tls);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Where the servers listen. */
  record Ports(int plain, int http2, int tls, int http2Tls) {}

  private void start(InetAddress host, int port, ExchangeHandler handler, @Nullable TlsOptions tls)
      throws IOException {
    HttpServer.Builder builder = HttpServer.builder()
        .address(new InetSocketAddress(host, port))
        .loops(Runtime.getRuntime().availableProcessors() > 2 ? 2 : 1)
        .backlog(4096)
        .exchangeHandler(handler);
    if (tls != null) {
      builder.tls(tls);
    }
    servers.add(builder.start());
  }

  private Router router(Path files) throws IOException {
    return Router.builder()
        .get("/pipeline", exchange -> Response.ok("ok"))
        .get("/baseline11", exchange -> Response.ok("" + sum(exchange)))
        .post("/baseline11", exchange -> Response.ok("" + (sum(exchange) + content(exchange))))
        .get("/baseline2", exchange -> Response.ok("" + sum(exchange)))
        .get("/delay/{ms}", Arena::delay)
        .post("/upload", exchange -> Response.ok("" + exchange.request().body().discard()))
        .post("/echo", Arena::echo)
        .get("/ws", WebSocketHandler.of((socket, exchange) -> {
          for (Message message : socket) {
            switch (message) {
              case Message.Text text -> socket.send(text.text());
              case Message.Binary binary -> socket.send(binary.bytes());
            }
          }
        })::handle)
        .group("", compressed -> compressed
            .filter(Compression.defaults())
            .get("/json/{count}", this::json)
            .any("/static/{file...}", files(files)::handle))
        .build();
  }

  private static StaticFiles files(Path root) {
    try {
      return StaticFiles.directory(root)
          .prefix("/static")
          .precompressed()
          // What the benchmark expects, although RFC 9239 prefers text/javascript.
          .mediaType("js", MediaType.parse("application/javascript; charset=utf-8"))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sum(WebExchange exchange) {
    return exchange.query("a").asLong() + exchange.query("b").asLong();
  }

  private static long content(WebExchange exchange) throws IOException {
    String text = exchange.bodyText().strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ProblemException(400, "the content must be a number");
    }
  }

  private static Response delay(WebExchange exchange) throws InterruptedException {
    int millis = exchange.path("ms").asInt();
    if (millis < 0 || millis > MAX_DELAY_MILLIS) {
      throw new ProblemException(400, "the delay must be from 0 to " + MAX_DELAY_MILLIS + " ms");
    }
    Thread.sleep(millis);
    return Response.ok("" + millis);
  }

  private static Response echo(WebExchange exchange) throws IOException {
    Request request = exchange.request();
    return Response.ok(Body.of(request.body().bytes(), MediaType.OCTET_STREAM));
  }

  private Response json(WebExchange exchange) throws IOException {
    int count = Math.clamp(exchange.path("count").asInt(), 0, items.size());
    long factor = exchange.query("m").asLong(1);
    List<Item.Priced> priced =
        items.subList(0, count).stream().map(item -> item.times(factor)).toList();
    return exchange.respond(new Item.Page(priced, count));
  }

  /** What answers the requests. */
  ExchangeHandler handler() {
    return router;
  }

  /** The ports, in the order of {@link Ports}. */
  List<Integer> ports() {
    return servers.stream().map(HttpServer::port).toList();
  }

  @Override
  public void close() {
    servers.forEach(HttpServer::close);
  }

  /** Starts the entry as the benchmark's container does. */
  public static void main(String[] args) throws Exception {
    Path certificates = Path.of(System.getenv().getOrDefault("TLS_CERTS", "/certs"));
    Path chain = certificates.resolve("server.crt");
    Path key = certificates.resolve("server.key");
    TlsOptions tls = Files.exists(chain) && Files.exists(key)
        ? TlsOptions.builder().identity(chain, key).build()
        : null;
    Path data = Path.of(System.getenv().getOrDefault("DATA_DIR", "/data"));
    InetAddress all = new InetSocketAddress(0).getAddress();
    Arena arena = new Arena(data, all, new Ports(8080, 8082, 8081, 8443), tls);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      arena.close();
      stopped.countDown();
    }));
    System.out.println("listening on " + arena.ports());
    stopped.await();
  }
}
