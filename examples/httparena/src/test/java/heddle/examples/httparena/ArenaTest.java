package heddle.examples.httparena;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls each route as the benchmark's validator does. */
@Timeout(120)
class ArenaTest {
  private static final Random RANDOM = new Random(11);
  private static final int ITEMS = 50;

  @TempDir
  private static Path data;

  private static Arena arena;
  private static HttpClient client;
  private static HttpClient http2;
  private static HttpClient trusting;

  @BeforeAll
  static void start() throws Exception {
    Files.writeString(
        data.resolve("dataset.json"),
        IntStream.rangeClosed(1, ITEMS).mapToObj(ArenaTest::item).toList().toString());
    Path files = Files.createDirectories(data.resolve("static"));
    Files.writeString(files.resolve("reset.css"), "a{}".repeat(1000));
    Files.writeString(files.resolve("app.js"), "f();".repeat(1000));
    Files.writeString(files.resolve("manifest.json"), "{\"name\": \"arena\"}");
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(files.resolve("reset.css.gz")))) {
      out.write(Files.readAllBytes(files.resolve("reset.css")));
    }
    TestIdentity identity = TestIdentity.forNames("localhost");
    arena = new Arena(
        data, InetAddress.getLoopbackAddress(), new Arena.Ports(0, 0, 0, 0), identity.server());
    client = HttpClient.create();
    http2 = HttpClient.builder().version(HttpVersion.HTTP_2).build();
    trusting = HttpClient.builder()
        .tls(TlsOptions.builder().context(identity.trusting()).build())
        .build();
  }

  @AfterAll
  static void stop() {
    trusting.close();
    http2.close();
    client.close();
    arena.close();
  }

  private static String item(int id) {
    return """
        {"id": %d, "name": "Item %d", "category": "tools", "price": %d, "quantity": %d, \
        "active": true, "tags": ["fast", "new"], "rating": {"score": 48, "count": 127}}
        """
        .formatted(id, id, 100 + id, id % 7);
  }

  private static String url(String path) {
    return "http://localhost:" + arena.ports().get(0) + path;
  }

  private static String post(String path, Body body) throws IOException {
    return client.post(url(path), body).requireSuccess().string();
  }

  @Test
  void sumsOfQueriesAndContent() throws Exception {
    for (int i = 0; i < 10; i++) {
      int a = RANDOM.nextInt(100, 1000);
      int b = RANDOM.nextInt(100, 1000);
      int c = RANDOM.nextInt(100, 1000);
      String path = "/baseline11?a=" + a + "&b=" + b;
      assertEquals("" + (a + b), client.get(url(path)).string());
      assertEquals("" + (a + b + c), post(path, Body.of("" + c)));
      InputStream chunked = new ByteArrayInputStream(("" + c).getBytes(UTF_8));
      assertEquals("" + (a + b + c), post(path, Body.of(chunked)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/baseline11?a=1", "/baseline11?a=x&b=1", "/delay/-1"})
  void badInputIsAnswered400(String path) throws Exception {
    assertEquals(400, client.get(url(path)).status().code());
  }

  @Test
  void sixteenPipelinedRequestsAreAnswered() throws Exception {
    try (Socket socket = connect()) {
      String request = "GET /pipeline HTTP/1.1\r\nHost: t\r\n\r\n";
      socket.getOutputStream().write(request.repeat(16).getBytes(ISO_8859_1));
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      for (int i = 0; i < 16; i++) {
        assertEquals("HTTP/1.1 200 OK", in.readLine());
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
          assertTrue(!line.startsWith("Transfer-Encoding"), line);
        }
        assertEquals("ok", "" + (char) in.read() + (char) in.read());
      }
    }
  }

  @Test
  void delaysOverlapAndTrackTheirParameter() throws Exception {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      requests.add(Request.get(url("/delay/" + (100 + 12 * i))));
    }
    List<Callable<String>> calls = requests.stream()
        .map(request -> (Callable<String>) () -> {
          long begun = System.nanoTime();
          String millis = client.send(request).string();
          assertTrue(System.nanoTime() - begun >= Long.parseLong(millis) * 1_000_000);
          return millis;
        })
        .toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = threads.invokeAll(calls);
      for (int i = 0; i < 32; i++) {
        assertEquals("" + (100 + 12 * i), answers.get(i).get());
      }
    }
    Response none = client.get(url("/delay/0"));
    assertEquals(
        "text/plain",
        none.body().mediaType().type() + "/" + none.body().mediaType().subtype());
    assertEquals("0", none.string());
  }

  @ParameterizedTest
  @CsvSource({"12,3", "22,7", "31,1", "50,2"})
  void itemsHaveTheirTotals(int count, int factor) throws Exception {
    Item.Page page = client.get(url("/json/" + count + "?m=" + factor)).as(Item.Page.class);
    assertEquals(count, page.count());
    assertEquals(count, page.items().size());
    for (Item.Priced item : page.items()) {
      assertEquals(item.price() * item.quantity() * factor, item.total());
      assertEquals(List.of("fast", "new"), item.tags());
      assertEquals(new Item.Rating(48, 127), item.rating());
    }
  }

  @Test
  void itemsAreCompressedOnlyIfTheClientAsks() throws Exception {
    Request plain =
        Request.builder(url("/json/50")).header("Accept-Encoding", "identity").build();
    Response whole = client.send(plain);
    assertNull(whole.headers().first("Content-Encoding"));
    assertEquals("application/json", whole.headers().first("Content-Type"));
    String expected = whole.string();
    Request gzip =
        Request.builder(url("/json/50")).header("Accept-Encoding", "gzip").build();
    Response response = client.send(gzip);
    assertEquals("gzip", response.headers().first("Content-Encoding"));
    try (InputStream in = new GZIPInputStream(response.body().stream())) {
      assertEquals(expected, new String(in.readAllBytes(), UTF_8));
    }
    Request best =
        Request.builder(url("/json/50")).header("Accept-Encoding", "gzip, br").build();
    String coding = client.send(best).headers().first("Content-Encoding");
    assertTrue(List.of("gzip", "br").contains(coding), coding);
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 512_000, 2_097_152, 20_971_520})
  void uploadsAreCounted(int bytes) throws Exception {
    byte[] content = new byte[bytes];
    RANDOM.nextBytes(content);
    assertEquals("" + bytes, post("/upload", Body.of(content)));
    assertEquals("" + bytes, post("/upload", Body.of(new ByteArrayInputStream(content))));
  }

  @Test
  void contentIsEchoed() throws Exception {
    byte[] content = new byte[100_000];
    RANDOM.nextBytes(content);
    assertArrayEquals(content, client.post(url("/echo"), Body.of(content)).bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "reset.css,text/css",
    "app.js,application/javascript",
    "manifest.json,application/json"
  })
  void filesHaveTheirTypes(String name, String type) throws Exception {
    Response response = client.get(url("/static/" + name));
    String given = response.headers().first("Content-Type");
    assertTrue(given.startsWith(type), given);
    assertEquals(Files.readString(data.resolve("static").resolve(name)), response.string());
  }

  @Test
  void filesThatDoNotExistAreAnswered404() throws Exception {
    assertEquals(404, client.get(url("/static/nonexistent.txt")).status().code());
  }

  @Test
  void changedFilesAreServedAtOnce() throws Exception {
    Path file = data.resolve("static/changing.css");
    Files.writeString(file, "before");
    assertEquals("before", client.get(url("/static/changing.css")).string());
    Files.writeString(data.resolve("static/next"), "after!");
    Files.move(data.resolve("static/next"), file, REPLACE_EXISTING);
    assertEquals("after!", client.get(url("/static/changing.css")).string());
  }

  @Test
  void messagesAreEchoedOverWebSocket() throws Exception {
    String url = "ws://localhost:" + arena.ports().get(0) + "/ws";
    try (WebSocket socket = WebSocket.open(client, url)) {
      socket.send("hello");
      assertEquals(new Message.Text("hello"), socket.receive());
      socket.send(new byte[] {1, 2, 3});
      assertEquals(new Message.Binary(new byte[] {1, 2, 3}), socket.receive());
    }
  }

  @Test
  void http2InCleartextNeedsPriorKnowledge() throws Exception {
    String url = "http://localhost:" + arena.ports().get(1);
    Response response = http2.get(url + "/baseline2?a=20&b=22");
    assertEquals(HttpVersion.HTTP_2, response.version());
    assertEquals("42", response.string());
    assertEquals(3, http2.get(url + "/json/3?m=2").as(Item.Page.class).count());
    assertEquals(505, client.get(url + "/baseline2?a=20&b=22").status().code());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void bothVersionsAreServedOverTls(int server) throws Exception {
    String url = "https://localhost:" + arena.ports().get(server);
    Response response = trusting.get(url + "/baseline2?a=20&b=22");
    assertEquals(HttpVersion.HTTP_2, response.version());
    assertEquals("42", response.string());
    Request old =
        Request.builder(url + "/json/3?m=2").version(HttpVersion.HTTP_1_1).build();
    assertEquals(3, trusting.send(old).as(Item.Page.class).count());
    assertTrue(trusting.get(url + "/static/app.js").string().startsWith("f();"));
  }

  static List<String> shapes() {
    String host = "Host: t\r\nConnection: close\r\n";
    return List.of(
        "GET /baseline11?a=13&b=42 HTTP/1.1\r\n" + host + "\r\n",
        "GET /baseline11?a=13&b=42 HTTP/1.1\r\n" + host
            + "User-Agent: t\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\r\n",
        "GET /baseline11?a=13&b=42 HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n",
        "POST /baseline11?a=13&b=42 HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n20",
        "POST /baseline11?a=13&b=42 HTTP/1.1\r\n" + host
            + "Transfer-Encoding: chunked\r\n\r\n2\r\n20\r\n0\r\n\r\n",
        "POST /baseline11?a=13&b=42 HTTP/1.1\r\n" + host
            + "Transfer-Encoding: chunked\r\n\r\n1\r\n2\r\n1\r\n0\r\n0\r\n\r\n");
  }

  /** A request cut in two at each byte: the second part is sent when the first was received. */
  @ParameterizedTest
  @MethodSource("shapes")
  void requestsMayComeInTwoPieces(String request) throws Exception {
    String sum = request.startsWith("GET") ? "55" : "75";
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .exchangeHandler(arena.handler())
            .start()) {
          for (int cut = 1; cut < request.length(); cut++) {
            String response = inTwoPieces(network, server, request, cut);
            assertTrue(response.startsWith("HTTP/1.1 200 OK\r\n"), response);
            assertTrue(response.endsWith("\r\n\r\n" + sum), response);
          }
        }
      });
    }
  }

  private static String inTwoPieces(SimNetwork network, HttpServer server, String request, int cut)
      throws IOException {
    try (RawConnection client = RawConnection.connect(network, server.address())) {
      client.send(request.substring(0, cut));
      network.sleep(Duration.ofMillis(200));
      client.send(request.substring(cut));
      return client.readToEnd();
    }
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), arena.ports().get(0));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
    return socket;
  }
}
