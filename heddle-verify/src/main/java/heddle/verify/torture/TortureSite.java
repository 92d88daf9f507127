package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.gson.GsonCodec;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.HttpServer;
import heddle.server.ListenAddress;
import heddle.server.proxy.ForwardedFields;
import heddle.server.proxy.ForwardedFilter;
import heddle.server.proxy.TrustedProxies;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.Handler;
import heddle.server.spi.RefusedRequest;
import heddle.sse.EventSender;
import heddle.sse.ServerSentEvent;
import heddle.transport.tls.TlsOptions;
import heddle.web.Problem;
import heddle.web.Router;
import heddle.web.WebExchange;
import heddle.web.files.StaticFiles;
import heddle.web.filter.AccessLog;
import heddle.web.filter.Compression;
import heddle.web.filter.Cors;
import heddle.web.filter.Health;
import heddle.web.filter.RequestId;
import heddle.web.form.FormData;
import heddle.web.form.FormLimits;
import heddle.web.form.UploadedFile;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import heddle.websocket.WebSocketHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * An application that uses everything that the server, {@code heddle-web}, {@code heddle-sse} and
 * {@code heddle-websocket} offer, for the process under attack. It listens on a TCP address, on one
 * with TLS whose certificate changes all the time, and on a Unix domain socket.
 */
final class TortureSite {
  /** The address from which peers send a header of the PROXY protocol. */
  static final String PROXY = "127.0.0.2";

  /** The address of a proxy whose Forwarded fields count. */
  static final String FORWARDER = "127.0.0.3";

  /** The page whose scripts may use this site. */
  static final String ORIGIN = "https://shop.example";

  /** How long a handler may take. */
  static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(2);

  static final int TEXT_LINES = 2_000;

  /** Made once, so that responses that wait share it. */
  private static final Body TEXT = Body.of(text());

  private static final int MOST_MESSAGE = 64 << 10;

  private static final int LONG_EVENT = 4_096;
  private static final int EVENTS = 32;

  /** Random and long, because a window of what compresses well is seconds of work. */
  private static final String NOISE = noise(EVENTS * LONG_EVENT);

  private static final Duration PING = Duration.ofSeconds(1);

  /** Reading the keys takes some 20 ms of a processor. */
  private static final Duration RENEWAL = Duration.ofMillis(300);

  private static final Duration FOR_EVER = Duration.ofHours(1);
  private static final FormLimits FORMS =
      FormLimits.builder().maxBytes(2 << 20).maxTextBytes(64 << 10).build();

  private final SiteFolder folder;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong logged = new AtomicLong();
  private final Compression compression = Compression.defaults();
  private final ExchangeHandler handler;

  /** What JSON is read as and written from. */
  record Item(int id, String text) {}

  /** What the error handler of the site answers. */
  private static final class NoSuchItem extends Exception {
    private static final long serialVersionUID = 1;

    NoSuchItem(int id) {
      super("there is no item " + id);
    }
  }

  /** @param others answers the requests that a server without a site answers too */
  TortureSite(SiteFolder folder, Handler others) throws IOException {
    this.folder = folder;
    AccessLog log = AccessLog.builder(line -> logged.incrementAndGet())
        .format(AccessLog.Format.JSON)
        .route(Router.ROUTE)
        .build();
    TrustedProxies forwarders = TrustedProxies.of(FORWARDER);
    Cors cors = Cors.builder().origins(ORIGIN).methods(Method.PUT).build();
    ExchangeHandler filtered =
        log.before(new RequestId().before(cors.before(compression.before(router(others)))));
    handler = new Counted()
        .before(new ForwardedFilter(ForwardedFields.FORWARDED, forwarders).before(filtered));
  }

  /** Counts what has to be in the access log, with what the server refuses. */
  private final class Counted implements Filter {
    @Override
    public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
      begun.incrementAndGet();
      return next.handle(exchange);
    }

    @Override
    public void refused(RefusedRequest request) {
      begun.incrementAndGet();
    }
  }

  private Router router(Handler others) throws IOException {
    Health health = Health.builder().check("folder", () -> {}).build();
    StaticFiles files =
        StaticFiles.directory(folder.files()).prefix("/files").precompressed().build();
    WebSocketHandler echo = WebSocketHandler.builder()
        .maxMessageBytes(MOST_MESSAGE)
        .compression(heddle.websocket.Compression.EACH_MESSAGE)
        .pingInterval(PING)
        .build((socket, exchange) -> echo(socket));
    return Router.builder()
        .codec(new GsonCodec())
        .get("/live", exchange -> health.liveness().handle(exchange.request()))
        .get("/ready", exchange -> health.readiness().handle(exchange.request()))
        .get("/who", TortureSite::who)
        .group("/items", items -> items
            .post("", exchange -> exchange.respond(201, exchange.bodyAs(Item.class)))
            .get("/{id}", TortureSite::item)
            .onError(
                NoSuchItem.class,
                (exchange, e) -> exchange.respond(Problem.of(404).detail(e.getMessage()))))
        .get("/files/{file...}", files::handle)
        .get("/text", exchange -> Response.ok(TEXT))
        .get("/written", TortureSite::write)
        .get("/hints", TortureSite::hint)
        .get("/events", TortureSite::sendEvents)
        .get("/echo-socket", echo::handle)
        .get("/late", exchange -> {
          Sleepers.sleep(FOR_EVER);
          return Response.ok("late");
        })
        .post("/form", exchange -> {
          try (FormData form = exchange.form(FORMS)) {
            return Response.ok(form.first("name") + " " + form.all("tag"));
          }
        })
        .post("/uploads", this::store)
        .group("", plain -> {
          for (String path : List.of("/small", "/slow", "/large", "/once", "/smuggled")) {
            plain.any(path, exchange -> others.handle(exchange.request()));
          }
        })
        .build();
  }

  /** Listens on all addresses, the one of the builder first, then the one with TLS. */
  HttpServer start(HttpServer.Builder builder) throws IOException, GeneralSecurityException {
    TrustedProxies proxies = TrustedProxies.of(PROXY);
    List<TlsOptions> identities = folder.identities();
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = builder
        .exchangeHandler(handler)
        .handlerTimeout(HANDLER_TIMEOUT)
        .proxyProtocol(proxies)
        .listen(ListenAddress.of(any).withTls(identities.getFirst()).withProxyProtocol(proxies))
        .listen(ListenAddress.of(folder.socket()))
        .start();
    SocketAddress secure = server.addresses().get(1);
    Thread.ofPlatform().daemon().name("torture-renewal").start(() -> renew(server, secure));
    return server;
  }

  /** New certificates, until the process ends. */
  private void renew(HttpServer server, SocketAddress secure) {
    int count = 0;
    while (true) {
      try {
        Thread.sleep(RENEWAL);
        List<TlsOptions> identities = folder.identities();
        server.tls(secure, identities.get(count % identities.size()));
        count++;
      } catch (OutOfMemoryError | IOException | GeneralSecurityException e) {
        // The certificates cannot be read for lack of memory or descriptors: the last ones stay.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  // ---- what must come back to nothing

  /** Files and folders of uploads; the greatest number if no descriptor is free to list them. */
  long uploads() {
    try (Stream<Path> files = Files.list(folder.uploads())) {
      return files.count();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Encoders of compressed responses. */
  long encoders() {
    return compression.openEncoders();
  }

  /** Requests whose line the access log has not written. */
  long unlogged() {
    long written = logged.get();
    return begun.get() - written;
  }

  // ---- handlers

  private static Response item(WebExchange exchange) throws IOException, NoSuchItem {
    int id = exchange.path("id").asInt();
    if (id < 0) {
      throw new NoSuchItem(id);
    }
    return exchange.respond(new Item(id, "item " + id));
  }

  private static Response who(WebExchange exchange) {
    String address = exchange.remoteAddress() instanceof InetSocketAddress peer
        ? peer.getAddress().getHostAddress()
        : "unix";
    return Response.ok(address + " " + exchange.request().origin());
  }

  /** Text that can be compressed, the same in each process. */
  static String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < TEXT_LINES; i++) {
      text.append("line ").append(i).append(" of a text that can be compressed\n");
    }
    return text.toString();
  }

  /** As many lines as the request asks for, each flushed, with their checksum as a trailer. */
  private static @Nullable Response write(WebExchange exchange) throws IOException {
    int lines = exchange.query("lines").asInt();
    CRC32 sum = new CRC32();
    Response head = Response.builder(Status.OK)
        .header("Content-Type", "text/plain")
        .trailers(Trailers.of(() -> Headers.of("X-Sum", Long.toHexString(sum.getValue()))))
        .build();
    try (OutputStream out = exchange.begin(head)) {
      for (int i = 0; i < lines; i++) {
        byte[] line = ("line " + i + "\n").getBytes(UTF_8);
        sum.update(line);
        out.write(line);
        out.flush();
      }
    }
    return null;
  }

  private static Response hint(WebExchange exchange) throws IOException {
    exchange.interim(Status.EARLY_HINTS, Headers.of("Link", "</style.css>; rel=preload"));
    return Response.ok("hinted");
  }

  private static String event(int i, int count) {
    int from = i % EVENTS * LONG_EVENT;
    return count > 100 ? NOISE.substring(from, from + LONG_EVENT) : "event";
  }

  /** Many are long, so that a peer that does not read is noticed. */
  private static @Nullable Response sendEvents(WebExchange exchange) throws IOException {
    int count = exchange.query("count").asInt();
    try (EventSender events = EventSender.open(exchange).heartbeat(PING)) {
      for (int i = 0; i < count; i++) {
        events.send(new ServerSentEvent("message", event(i, count), Integer.toString(i)));
      }
    }
    return null;
  }

  private static String noise(int length) {
    byte[] bytes = new byte[length / 4 * 3];
    new Random(1).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void echo(WebSocket socket) throws IOException {
    for (Message message : socket) {
      switch (message) {
        case Message.Text text -> socket.send(text.text());
        case Message.Binary binary -> socket.send(binary.bytes());
      }
    }
  }

  /** The name, length and checksum of each file. */
  private Response store(WebExchange exchange) throws IOException {
    StringBuilder seen = new StringBuilder();
    try (FormData form = FormData.read(exchange.request(), FORMS, folder.uploads())) {
      for (UploadedFile file : form.files()) {
        byte[] content = Files.readAllBytes(file.path());
        seen.append(file.fileName()).append(' ').append(file.size()).append(' ');
        seen.append(sum(content)).append('\n');
      }
      return Response.ok(seen + "by " + form.first("name"));
    }
  }

  static String sum(byte[] content) {
    CRC32 sum = new CRC32();
    sum.update(content);
    return Long.toHexString(sum.getValue());
  }
}
