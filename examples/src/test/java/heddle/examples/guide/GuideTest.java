package heddle.examples.guide;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.cache.HttpCache;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.examples.Printed;
import heddle.har.HarReplay;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.Form;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import heddle.server.HttpServer;
import heddle.server.spi.ExchangeHandler;
import heddle.sse.EventSource;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import heddle.web.Router;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import heddle.zstd.ZstdCoding;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code of the guide does what its pages say. */
@Timeout(60)
final class GuideTest {
  @AutoClose
  private final MockServer server;

  @AutoClose
  private final HttpClient client = HttpClient.create();

  @TempDir
  private Path folder;

  GuideTest() throws Exception {
    server = MockServer.start();
  }

  @BeforeEach
  void answer() {
    server.handler(request -> switch (request.target().split("[?]", 2)[0]) {
      case "/users/7" -> MockResponse.ok("{\"name\":\"Ann\",\"age\":30}");
      case "/users" ->
        request.method().equals("GET")
            ? MockResponse.ok("[{\"name\":\"Ann\",\"age\":30}]")
            : MockResponse.of(201);
      case "/users/8" -> MockResponse.of(404).body("gone");
      case "/moved" -> MockResponse.of(302).header("Location", "/here");
      default -> MockResponse.ok("answer to " + request.target());
    });
  }

  private String url(String path) {
    return server.url(path);
  }

  private Path file(String content) throws Exception {
    return Files.writeString(folder.resolve("file"), content);
  }

  @Test
  void gettingStarted() throws Exception {
    assertEquals("answer to /a\n", Printed.by(() -> GettingStarted.first(url("/a"))));
    String everyday = Printed.by(() -> GettingStarted.everyday(url("/v1")));
    assertEquals("answer to /v1/users/jo%2Fann?fields=name%2Cage\n", everyday);
    String asked = Printed.by(() -> GettingStarted.request(client, url("/s")));
    assertTrue(asked.contains("answer to /s?q=warp%20%26%20weft"), asked);
    assertEquals("404: gone\n", Printed.by(() -> GettingStarted.status(client, url("/users/8"))));
    try (HttpClient based = HttpClient.builder().baseUrl(url("")).build()) {
      String notes = Printed.by(() -> GettingStarted.relative(based));
      assertEquals("answer to /users/7/notes?since=2026-01-01\n", notes);
    }
  }

  @Test
  void concurrency() throws Exception {
    assertEquals(
        List.of("answer to /1", "answer to /2"),
        Concurrency.all(client, List.of(url("/1"), url("/2"))));
    try (HttpClient limited = Concurrency.limits();
        HttpClient adaptive = Concurrency.adaptive()) {
      assertEquals("answer to /", limited.get(url("/")).string());
      assertEquals("answer to /", adaptive.get(url("/")).string());
      String printed = Printed.by(() -> Concurrency.snapshot(limited));
      assertTrue(printed.contains("in flight 0, waiting 0"), printed);
    }
  }

  @Test
  void timesAndDeadlines() throws Exception {
    assertEquals("answer to /\n", Printed.by(() -> TimesAndDeadlines.deadline(client, url("/"))));
    assertEquals(
        "answer to /aanswer to /b", TimesAndDeadlines.within(client, url("/a"), url("/b")));
    try (HttpClient timed = TimesAndDeadlines.timeouts()) {
      server.takeRequest();
      timed.get(url("/")).close();
      assertTrue(server.requests().stream().anyMatch(each -> each.header("X-Deadline-Ms") != null));
    }
    assertEquals("answer to /s", Printed.by(() -> TimesAndDeadlines.stream(client, url("/s"))));
  }

  @Test
  void retries() throws Exception {
    server.enqueue("/busy", MockResponse.of(503));
    try (HttpClient patient = Retries.onStatus();
        HttpClient once = Retries.never()) {
      assertEquals("answer to /busy", patient.get(url("/busy")).string());
      server.enqueue("/busy", MockResponse.of(503));
      assertEquals(503, once.get(url("/busy")).status().code());
    }
  }

  @Test
  void sessions() throws Exception {
    Origin origin = Origin.of(URI.create(url("/")));
    AtomicReference<String> fresh = new AtomicReference<>("old");
    try (HttpClient follows = Sessions.redirects();
        HttpClient cookies = Sessions.cookies();
        HttpClient basic = Sessions.basic(origin, "ann", "secret");
        HttpClient fixed = Sessions.token(url("/v1"), "fixed");
        HttpClient bearer = Sessions.bearer(origin, () -> "token");
        HttpClient refreshing = Sessions.refreshing(origin, () -> fresh.getAndSet("new"))) {
      String whence = Printed.by(() -> Sessions.whence(follows, url("/moved")));
      assertTrue(whence.startsWith("1 before GET " + url("/here")), whence);
      server.enqueue(MockResponse.ok("").header("Set-Cookie", "id=7"));
      cookies.get(url("/")).close();
      cookies.get(url("/cookie")).close();
      basic.get(url("/basic")).close();
      fixed.get("/fixed").close();
      bearer.get(url("/bearer")).close();
      server.enqueue("/expired", MockResponse.of(401));
      refreshing.get(url("/expired")).requireSuccess().close();
    }
    assertEquals("id=7", sent("/cookie", "Cookie"));
    assertEquals("Basic YW5uOnNlY3JldA==", sent("/basic", "Authorization"));
    assertEquals("Bearer fixed", sent("/v1/fixed", "Authorization"));
    assertEquals("Bearer token", sent("/bearer", "Authorization"));
    assertEquals("Bearer old", sent("/expired", "Authorization"));
    assertEquals("Bearer new", server.requests().getLast().header("Authorization"));
  }

  private String sent(String path, String field) {
    return String.valueOf(server.requests().stream()
        .filter(each -> each.target().equals(path))
        .findFirst()
        .orElseThrow()
        .header(field));
  }

  @Test
  void json() throws Exception {
    try (HttpClient users = Json.mapper(url("/"))) {
      assertEquals("User[name=Ann, age=30] of 1\n", Printed.by(() -> Json.both(users)));
      assertEquals("no such user: gone\n", Printed.by(() -> Json.errors(users)));
    }
    MockResponse conflict = MockResponse.of(409).header("Content-Type", "application/problem+json");
    server.enqueue("/taken", conflict.body("{\"title\":\"Conflict\",\"detail\":\"it is taken\"}"));
    try (HttpClient problems = Json.problems(url("/"))) {
      IOException failure = assertThrows(IOException.class, () -> problems.get("/taken"));
      assertEquals("it is taken", failure.getMessage());
      assertThrows(FileNotFoundException.class, () -> problems.get("/users/8"));
      server.enqueue("/down", MockResponse.of(500));
      assertThrows(StatusException.class, () -> problems.get("/down"));
    }
  }

  @Test
  void largeContent() throws Exception {
    Path target = folder.resolve("target");
    String printed = Printed.by(() -> LargeContent.download(client, url("/d"), target));
    assertTrue(printed.endsWith("12 of 12 bytes12\n"), printed);
    assertEquals("answer to /d", Files.readString(target));
    assertEquals("answer to /l\n", Printed.by(() -> LargeContent.lines(client, url("/l"))));
    LargeContent.upload(client, url("/up"), file("content"));
    LargeContent.multipart(client, url("/form"), file("content"));
    assertEquals(
        List.of("content", "multipart/form-data"),
        List.of(
            body("/up").text(),
            String.valueOf(body("/form").header("Content-Type")).substring(0, 19)));
  }

  @Test
  void contentIsCompressedAsTheProgramSays() throws Exception {
    LargeContent.compress(client, url("/log"), file("content ".repeat(1000)));
    assertEquals("zstd", sent("/log", "Content-Encoding"));
    ByteBuffer decoded = ByteBuffer.allocate(8000);
    try (ContentCoding.Decoder decoder = new ZstdCoding().decoder()) {
      assertTrue(decoder.decode(ByteBuffer.wrap(body("/log").body()), decoded));
    }
    assertEquals(0, decoded.remaining());
    try (HttpClient brotli = LargeContent.codings()) {
      brotli.get(url("/b")).close();
    }
    assertEquals("br, gzip, deflate", sent("/b", "Accept-Encoding"));
  }

  @Test
  void bothDirectionsOfACallGoOnAtOnce() throws Exception {
    try (HttpServer echo = Serving.start();
        HttpClient http2 = HttpClient.builder().version(HttpVersion.HTTP_2).build()) {
      String url = "http://localhost:" + echo.port() + "/echo";
      assertEquals("first\nsecond\n", Printed.by(() -> LargeContent.conversation(http2, url)));
    }
  }

  @Test
  void eventsAreReadAsTheyCome() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    server.handler(request -> switch (request.target()) {
      case "/model" ->
        MockResponse.ok("data: Hello\n\ndata:  world\n\ndata: [DONE]\n\n")
            .header("Content-Type", "text/event-stream");
      default ->
        calls.getAndIncrement() % 2 == 0
            ? MockResponse.ok("retry: 0\nevent: price\nid: 1\ndata: 42\n\n")
                .header("Content-Type", "text/event-stream")
            : MockResponse.of(204);
    });
    assertEquals("price: 42\n", Printed.by(() -> Events.prices(client, url("/prices"))));
    Request request = client.request(url("/prices")).build();
    try (EventSource source = Events.later(client, request, "0")) {
      assertEquals("42", source.next().data());
      assertEquals("1", source.lastEventId());
    }
    Request question = Request.post(url("/model"), Body.of("?"));
    assertEquals("Hello world", Printed.by(() -> Events.model(client, question)));
  }

  @Test
  void socketsGoBothWays() throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(network, GuideTest::chat)) {
      assertEquals("Hi\n3 bytes\n", Printed.by(() -> WebSockets.chat(client, peer.url("/"))));
      try (WebSocket socket = WebSockets.configured(client, peer.url("/"))) {
        assertNull(socket.subprotocol());
      }
    }
  }

  /** Opens a WebSocket, sends a text, three bytes and a Close frame. */
  private static void chat(RawConnection c) throws IOException {
    String head = c.expectHead();
    String key = head.replaceAll("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    c.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Accept: " + accepted(key) + "\r\n\r\n");
    c.send(HexFormat.of().parseHex("81024869" + "8203010203" + "880203e8"));
    c.drain();
  }

  private static String accepted(String key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1")
          .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void responsesAreUsedAgain() throws Exception {
    server.answer("/cached", MockResponse.ok("content").header("Cache-Control", "max-age=60"));
    String printed = Printed.by(() -> Caching.memory(url("/cached")));
    assertTrue(printed.startsWith("content, heddle; fwd=uri-miss; stored\n"), printed);
    assertTrue(printed.contains("\ncontent, heddle; hit; ttl="), printed);
    for (int i = 0; i < 2; i++) {
      try (HttpCache cache = Caching.disk(folder.resolve("cache"));
          HttpClient cached = HttpClient.builder().interceptor(cache).build()) {
        assertEquals("content", cached.get(url("/cached")).string());
        assertEquals("content", Caching.fresh(cached, url("/cached")).string());
        String counts = Printed.by(() -> Caching.statistics(cache));
        assertTrue(counts.startsWith(i + " hits, "), counts);
      }
    }
  }

  @Test
  void rateLimitsAndHedging() throws Exception {
    try (HttpClient limited = RateLimitsAndHedging.limited();
        HttpClient hedged = RateLimitsAndHedging.hedged();
        HttpClient marked = RateLimitsAndHedging.marked()) {
      assertEquals("answer to /a", limited.get(url("/a")).string());
      assertEquals("answer to /b", hedged.get(url("/b")).string());
      server.enqueue("/c", MockResponse.fault(MockFault.blackHole()));
      assertEquals("answer to /c", marked.get(url("/c")).string());
    }
  }

  private heddle.testkit.mock.RecordedRequest body(String path) {
    return server.requests().stream()
        .filter(each -> each.target().equals(path))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void proxiesAndTls() throws Exception {
    Proxies.one("ann", "secret").close();
    Proxies.system().close();
    Proxies.except().close();
    Path socket = folder.resolve("docker.sock");
    try (ServerSocketChannel docker = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      docker.bind(UnixDomainSocketAddress.of(socket));
      Thread.ofVirtual().start(() -> {
        try (SocketChannel connection = docker.accept()) {
          connection.read(ByteBuffer.allocate(1000));
          connection.write(US_ASCII.encode("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      assertEquals("{}", Proxies.dockerVersion(socket));
    }
    TestIdentity identity = TestIdentity.forNames("localhost");
    try (MockServer secure = MockServer.builder().tls(identity.server()).start();
        HttpClient trusting = Tls.trust(file(identity.pem()))) {
      secure.enqueue(MockResponse.ok("private"));
      String url = secure.url("/").replace("127.0.0.1", "localhost");
      assertEquals("private", trusting.get(url).string());
    }
  }

  @Test
  void names() throws Exception {
    try (HttpClient overHttps = Names.overHttps()) {
      String url = url("/x").replace("127.0.0.1", "localhost"); // Not sent to a name service.
      assertEquals("answer to /x", overHttps.get(url).string());
    }
  }

  @Test
  void watching() throws Exception {
    var registry = new SimpleMeterRegistry();
    try (HttpClient watched = Watching.metricsAndTraces(registry, OpenTelemetry.noop())) {
      watched.send(watched.request(url("/users/{id}"), 7).build()).close();
      assertEquals(
          1,
          registry
              .get("http.client.requests")
              .tag("uri", "/users/{id}")
              .tag("client.name", "orders")
              .timer()
              .count());
    }
    try (HttpClient listened = Watching.listener()) {
      String printed = Printed.by(() -> listened.get(url("/x")).close());
      assertTrue(printed.contains("GET " + url("/x") + " took "), printed);
    }
  }

  @Test
  void loggingAndRecording() throws Exception {
    try (HttpClient quiet = Recordings.log();
        HttpClient shown = Recordings.contents()) {
      quiet.get(url("/quiet")).string();
      String printed = Printed.by(() -> shown.get(url("/x?access_token=secret")).string());
      assertTrue(printed.contains(" > GET /x?access_token=*** HTTP/1.1\n"), printed);
      assertTrue(printed.contains(" < | answer to /x?access_token=secret\n"), printed);
    }
    Path recording = folder.resolve("calls.har");
    Recordings.record(url("/recorded"), recording);
    assertEquals(1, HarReplay.of(recording).unused().size());
  }

  @Test
  void structured() throws Exception {
    assertEquals("answer to /a", Structured.first(client, List.of(url("/a"))));
    HttpCall nearest = client.newCall(Request.get(url("/a")));
    assertEquals(
        "answer to /a", Structured.hedged(nearest, client.newCall(Request.get(url("/b")))));
    try (HttpClient based = HttpClient.builder().baseUrl(url("")).build()) {
      assertEquals("answer to /useranswer to /orders", Structured.all(based));
      assertEquals("answer to /useranswer to /orders", Structured.within(based));
      server.enqueue("/orders", MockResponse.of(503));
      assertThrows(StatusException.class, () -> Structured.all(based));
    }
    String printed = Printed.by(() -> Structured.cancel(client, Request.get(url("/c"))));
    assertTrue(printed.contains("CANCELLED"), printed);
  }

  @Test
  void handlersSeeTheirExchangeAndWriteResponses() throws Exception {
    assertTrue(answer(Serving.whoIsAsking()).contains("over HTTP/1.1, certificates: 0"));
    assertEquals("3\n2\n1\n", answer(Serving.writing()));
    assertEquals("a,b\n", answer(exchange -> Serving.written(List.of("a,b"))));
    assertEquals("a page", answer(Serving.hints()));
    assertEquals("", answer(Serving.filtered(exchange -> Response.ok("guarded"))));
  }

  private static String answer(ExchangeHandler handler) throws IOException {
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
        HttpClient client = HttpClient.create()) {
      return client.get("http://localhost:" + server.port() + "/").string();
    }
  }

  @Test
  void serving() throws Exception {
    try (HttpServer small = Serving.start();
        HttpServer limited = Serving.limits()) {
      String base = "http://127.0.0.1:" + small.port();
      assertEquals("Hello!", client.get(base + "/hello").string());
      assertEquals("/x", client.get("http://127.0.0.1:" + limited.port() + "/x").string());
    }
  }

  @Test
  void webApplications(@TempDir Path site) throws Exception {
    try (HttpServer server = Web.routes()) {
      String base = "http://localhost:" + server.port();
      assertEquals("Hello, Ada", client.get(base + "/hello/Ada").string());
      assertEquals("5", client.get(base + "/sum?a=5").string());
      assertEquals("[a, b c]", client.get(base + "/files/a/b%20c").string());
      assertEquals(405, client.post(base + "/sum?a=5", Body.of("")).status().code());
    }
    try (HttpServer server = HttpServer.builder().exchangeHandler(Web.json()).start()) {
      String base = "http://localhost:" + server.port();
      Web.Item item = new Web.Item(7, "cup");
      Request add =
          Request.builder(base + "/items").method(Method.POST).body(item).build();
      assertEquals(201, client.send(add).status().code());
      assertEquals(item, client.get(base + "/items/7").as(Web.Item.class));
      String problem = client.get(base + "/items/8").string();
      assertTrue(problem.contains("there is no item 8"), problem);
    }
    try (HttpServer server = HttpServer.builder().exchangeHandler(Web.forms()).start()) {
      String url = "http://localhost:" + server.port() + "/profile";
      Response saved = client.post(url, Form.of("name", "Ada").body());
      assertEquals("name=Ada", saved.headers().first("Set-Cookie").split(";", 2)[0]);
      Request again = Request.builder(url).header("Cookie", "name=Ada").build();
      assertEquals("You are Ada", client.send(again).string());
    }
    Files.writeString(site.resolve("index.html"), "<p>Welcome</p>");
    List<String> log = new CopyOnWriteArrayList<>();
    try (HttpServer server =
        HttpServer.builder().exchangeHandler(Web.filters(site, log::add)).start()) {
      String base = "http://localhost:" + server.port();
      assertEquals("<p>Welcome</p>", client.get(base + "/").string());
      Request other = Request.builder(base + "/api/time")
          .header("Origin", "https://shop.example.com")
          .build();
      assertEquals(
          "https://shop.example.com",
          client.send(other).headers().first("Access-Control-Allow-Origin"));
    }
    assertEquals(2, log.size());
    Router hello = Router.builder()
        .get("/hello/{name}", exchange -> Response.ok(exchange.path("name").asString()))
        .build();
    assertEquals("Ada", Web.tested(hello));
  }

  @Test
  void operatingAServer(@TempDir Path folder) throws Exception {
    TestIdentity shop = TestIdentity.forNames("localhost");
    TestIdentity blog = TestIdentity.forNames("blog.example");
    Path shopFile = written(folder, "shop", shop);
    Path blogFile = written(folder, "blog", blog);
    ExchangeHandler handler = Operating.behindProxies(exchange ->
        Response.ok(exchange.remoteAddress() + " " + exchange.request().origin().scheme()));
    try (HttpServer server = Operating.ports(handler, shopFile, shopFile, blogFile, blogFile);
        HttpClient trusting = HttpClient.builder()
            .tls(TlsOptions.builder().context(TestIdentity.trusting(shop, blog)).build())
            .build()) {
      InetSocketAddress secure = (InetSocketAddress) server.addresses().get(1);
      String url = "https://localhost:" + secure.getPort() + "/";
      assertTrue(trusting.get(url).string().endsWith(" https"));
      Operating.renew(server, shopFile, shopFile);
      assertTrue(trusting.get(url).string().endsWith(" https"));
      Request forwarded = Request.builder("http://localhost:" + server.port())
          .header("X-Forwarded-For", "192.0.2.7")
          .header("X-Forwarded-Proto", "https")
          .build();
      assertEquals("/192.0.2.7:0 https", client.send(forwarded).string());
    }
    HttpServer server = Operating.health(() -> {});
    String base = "http://localhost:" + server.port();
    assertEquals(200, client.get(base + "/live").status().code());
    assertEquals(200, client.get(base + "/ready").status().code());
    server.drain();
    assertEquals(503, client.get(base + "/ready").status().code());
    assertEquals("welcome", client.get(base + "/").string());
    server.close();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (HttpServer measured = Operating.metrics(meters, Web.json())) {
      client.get("http://localhost:" + measured.port() + "/items/1").close();
      Timer timer = meters.find("http.server.requests").timer();
      while (timer == null) { // until the server has ended the response, which the client has
        Thread.onSpinWait();
        timer = meters.find("http.server.requests").timer();
      }
      assertEquals("/items/{id}", timer.getId().getTag("uri"));
    }
  }

  @Test
  void socketsAndEventsOfAServer() throws Exception {
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(WebSockets.served()).start();
        WebSocket socket = WebSocket.open(client, "ws://localhost:" + server.port() + "/")) {
      socket.send("hello");
      assertEquals(new Message.Text("You said: hello"), socket.receive());
    }
    BlockingQueue<String> prices = new LinkedBlockingQueue<>(List.of("7", ""));
    assertEquals("data: 7\n\n", answer(Events.served(prices)));
  }

  /** Certificate and key in one PEM file. */
  private static Path written(Path folder, String name, TestIdentity identity) throws Exception {
    KeyStore keys = identity.keyStore("secret");
    String alias = keys.aliases().nextElement();
    byte[] key = keys.getKey(alias, "secret".toCharArray()).getEncoded();
    String pem = identity.pem() + "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
        + "\n-----END PRIVATE KEY-----\n";
    return Files.writeString(folder.resolve(name + ".pem"), pem);
  }
}
