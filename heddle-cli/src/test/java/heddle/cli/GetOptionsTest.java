package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.GzipBody;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the options of heddle get make of a request and of its answer. */
final class GetOptionsTest {

  private static final String JSON = "{\"a\":[1.10,\"\u009b2J\"],\"b\":null}";

  /** Its first mebibyte is JSON too. */
  private static final String LONG_JSON = "1".repeat(127).concat(" ").repeat((1 << 13) + 1);

  @TempDir
  private Path folder;

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder()
        .handler(GetOptionsTest::answer)
        .closeTimeout(Duration.ZERO)
        .start();
  }

  private static Response answer(Request request) throws IOException {
    return switch (request.path()) {
      case "/moved" ->
        Response.builder(Status.FOUND).header("Location", "/seen?after=moving").build();
      case "/login" ->
        Response.builder(Status.OK)
            .header("Set-Cookie", "session=secret; Path=/; Max-Age=3600")
            .build();
      case "/json" -> Response.ok(Body.of(JSON, MediaType.parse("application/json")));
      case "/long" -> Response.ok(Body.of(LONG_JSON, MediaType.parse("application/json")));
      case "/binary" -> Response.ok(Body.of(new byte[] {'P', 'K', 0, 1}));
      case "/packed" ->
        Response.builder(Status.OK)
            .header("Content-Encoding", "gzip")
            .body(GzipBody.of(Body.of("unpacked")))
            .build();
      default -> Response.ok(seen(request));
    };
  }

  /** The request as a text. */
  private static String seen(Request request) throws IOException {
    StringBuilder text = new StringBuilder(request.method() + " " + request.target() + "\n");
    for (Headers.Field field : request.headers()) {
      text.append(field.name()).append(": ").append(field.value()).append('\n');
    }
    return text + "\n" + request.body().string();
  }

  @Test
  void locationIsFollowedOnlyIfAsked() {
    assertTrue(said("/moved", "-L").startsWith("GET /seen?after=moving\n"));
    assertEquals("", said("/moved"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -d a=1 -d b=2            | a=1&b=2 | application/x-www-form-urlencoded
          -d @LINES -d c           | onetwo&c| application/x-www-form-urlencoded
          --json {"a":1}           | {"a":1} | application/json
          --body @LINES            | 'one
          two
          '                        | application/octet-stream
          -d a -H Content-Type:x/y | a       | x/y
          """)
  void contentIsPosted(String options, String content, String type) throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "one\ntwo\n");
    String seen = said("/", options.strip().replace("LINES", lines.toString()).split(" "));
    assertTrue(seen.startsWith("POST /\n"), seen);
    assertTrue(seen.contains("Content-Type: " + type + "\n"), seen);
    assertTrue(seen.endsWith("\n\n" + content), seen);
    assertEquals(options.startsWith("--json"), seen.contains("Accept: application/json"), seen);
  }

  @Test
  void inputIsFormData() {
    Ran ran = Ran.withInput("a=1\r\n", "get", url("/"), "-d", "@-", "-d", "b=2");
    assertTrue(ran.out().endsWith("\n\na=1&b=2"), ran::toString);
  }

  @Test
  void formIsMultipart() throws IOException {
    Path file = Files.writeString(folder.resolve("report.txt"), "of a file");
    String seen = said(
        "/",
        "-F",
        "title=A;B",
        "-F",
        "up=@" + file + ";type=text/plain;charset=utf-8;filename=\"r.txt\"",
        "-F",
        "text=<" + file);
    assertTrue(seen.contains("Content-Type: multipart/form-data; boundary="), seen);
    assertTrue(seen.contains("form-data; name=\"title\"\r\n\r\nA;B\r\n"), seen);
    assertTrue(
        seen.contains("form-data; name=\"up\"; filename=\"r.txt\"\r\n"
                + "Content-Type: text/plain;charset=utf-8\r\n\r\nof a file\r\n")
            || seen.contains("form-data; name=\"up\"; filename=\"r.txt\"\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\n\r\nof a file\r\n"),
        seen);
    assertTrue(seen.contains("form-data; name=\"text\"\r\n\r\nof a file\r\n"), seen);
  }

  @Test
  void verboseTellsAllButCredentials() {
    Ran ran = get("/login", "-v", "-u", "ann:hidden", "-b", "c=hidden", "-H", "X-One: 1");
    assertEquals(0, ran.code(), ran::err);
    Stream.of(
            "* connected to ",
            "> GET /login HTTP/1.1\n",
            "> Host: 127.0.0.1:" + server.port() + "\n",
            "> X-One: 1\n",
            "> Authorization: ***\n",
            "> Cookie: ***\n",
            "< HTTP/1.1 200 OK\n",
            "< Set-Cookie: ***\n")
        .forEach(line -> assertTrue(ran.err().contains(line), () -> line + " in " + ran.err()));
    assertFalse(ran.err().contains("hidden") || ran.err().contains("secret"), ran::err);
    assertFalse(ran.err().contains("YW5uOmhpZGRlbg"), ran::err);
  }

  @Test
  void verboseTellsVersionCipherAndCertificate() throws IOException {
    SelfSigned self = SelfSigned.create();
    TlsOptions identity =
        TlsOptions.builder().identity(List.of(self.certificate()), self.key()).build();
    try (HttpServer secure =
        HttpServer.builder().handler(GetOptionsTest::answer).tls(identity).start()) {
      Ran ran = Ran.of("get", "-vk", "https://127.0.0.1:" + secure.port() + "/x");
      Stream.of(
              "* TLSv1.3, TLS_",
              ", ALPN h2\n",
              "* certificate of O=heddle serve, CN=localhost\n",
              "> GET /x HTTP/2")
          .forEach(line -> assertTrue(ran.err().contains(line), () -> line + " in " + ran.err()));
    }
  }

  @Test
  void timingsAreATable() {
    Ran ran = get("/", "--timings");
    assertEquals(0, ran.code());
    assertTrue(ran.err().matches("(?s)lookup +[0-9.]+ ms\n.*first byte .*rate .* bytes/s\n"));
  }

  @Test
  void headWritesTheFields() {
    String head = said("/", "-I");
    assertTrue(head.startsWith("HTTP/1.1 200 OK\n"), head);
    assertTrue(head.endsWith("\n\n"), head);
  }

  @Test
  void userIsSentByTheBasicScheme() {
    assertTrue(said("/", "-u", "Aladdin:open sesame")
        .contains("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\n"));
    get("/", "-u", "ann").assertRefused("-u ann has no password", "ann:PASSWORD");
  }

  @Test
  void cookiesAreKeptBetweenRuns() throws IOException {
    String jar = folder.resolve("jar").toString();
    assertEquals("", said("/login", "-c", jar));
    assertTrue(Files.readString(folder.resolve("jar")).startsWith("# Netscape HTTP Cookie File"));
    assertTrue(said("/", "-c", jar).contains("Cookie: session=secret\n"));
    assertTrue(said("/", "-b", jar).contains("Cookie: session=secret\n"));
    assertTrue(said("/", "-b", "a=1", "-b", "b=2").contains("Cookie: a=1; b=2\n"));
    Files.writeString(folder.resolve("jar"), "nothing\n");
    get("/", "-c", jar).assertRefused("is no file of cookies: line 1");
  }

  @Test
  void proxyForwardsAndAsksForCredentials() throws Exception {
    try (TcpNetwork network = TcpNetwork.builder().build();
        ScriptedPeer proxy = ScriptedPeer.each(network, connection -> {
          assertTrue(connection.expectHead().startsWith("GET http://origin.invalid/x HTTP/1.1"));
          connection.send("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\n"
              + "Content-Length: 0\r\n\r\n");
          assertTrue(connection.expectHead().contains("Proxy-Authorization: Basic YW5uOnB3"));
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        })) {
      Ran ran = Ran.of("get", "origin.invalid/x", "-x", "ann:pw@127.0.0.1:" + proxy.port());
      assertEquals(new Ran(0, "ok", ""), ran);
      proxy.awaitScripts();
    }
  }

  @Test
  void compressedContentIsUnpackedIfAsked() {
    assertEquals("unpacked", said("/packed", "--compressed"));
    assertFalse(said("/packed").contains("unpacked"));
    assertTrue(said("/", "--compressed").contains("Accept-Encoding: gzip"));
    assertFalse(said("/").contains("Accept-Encoding"));
  }

  @Test
  void interruptedDownloadGoesOn() throws IOException {
    Path file = folder.resolve("whole");
    try (TcpNetwork network = TcpNetwork.builder().build();
        ScriptedPeer peer = ScriptedPeer.inOrder(
            network,
            connection -> {
              connection.expectHead();
              connection.send("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 10\r\n\r\nhalf ");
              connection.shutdownOutput();
            },
            connection -> connection.shutdownOutput(),
            connection -> {
              String head = connection.expectHead();
              assertTrue(head.contains("Range: bytes=5-") && head.contains("If-Range: \"e\""));
              connection.send("HTTP/1.1 206 Part\r\nETag: \"e\"\r\nContent-Length: 5\r\n"
                  + "Content-Range: bytes 5-9/10\r\n\r\nwhole");
            })) {
      Ran failed = Ran.of("get", peer.url("/"), "-C", "-", "-o", file.toString());
      assertEquals(1, failed.code(), failed::toString);
      assertFalse(Files.exists(file));
      assertEquals(new Ran(0, "", ""), Ran.of("get", "-C", peer.url("/"), "-o", file.toString()));
    }
    assertEquals("half whole", Files.readString(file));
    get("/", "-C").assertRefused("-C goes on with a file");
    get("/", "-C", "-o", file.toString(), "-d", "x")
        .assertRefused("-C is for the content of a GET");
  }

  @Test
  void remoteNameNeedsOne() {
    get("/", "-O").assertRefused("the URL ends without the name of a file");
    get("/..;", "-O").assertRefused("the URL ends without the name of a file");
  }

  @Test
  void terminalGetsColoursAndJsonInLines() {
    Ran ran = Ran.onTerminal("get", url("/json"), "-i");
    assertTrue(ran.out().startsWith("\033[1mHTTP/1.1 200 OK\033[0m\n"), ran::out);
    assertTrue(ran.out().contains("\033[36mContent-Type\033[0m: application/json"), ran::out);
    assertTrue(ran.out().contains("  \"a\" : [ 1.10, \"\\x9b2J\" ],\n"), ran::out);
    assertEquals(JSON, said("/json"));
    assertEquals(JSON, Ran.onTerminal("get", url("/json"), "-o", "-").out());
  }

  @Test
  void longJsonIsShownWholeAsItIs() {
    assertEquals(LONG_JSON, Ran.onTerminal("get", url("/long")).out());
  }

  @Test
  void terminalIsSparedBinaryContent() {
    Ran ran = Ran.onTerminal("get", url("/binary"));
    ran.assertFailed("binary", "-o FILE");
    assertEquals("", ran.out());
    assertEquals("PK\0\1", said("/binary"));
  }

  @Test
  void terminalGetsNoCommandsFromFields() throws IOException {
    try (TcpNetwork network = TcpNetwork.builder().build();
        ScriptedPeer peer = ScriptedPeer.each(network, connection -> {
          connection.expectHead();
          // CSI as one control character, in UTF-8.
          connection.send("HTTP/1.1 200 \u00c2\u009b2J\r\nX: \u00c2\u009b31m \u00c3\u00a4\r\n\r\n");
          connection.shutdownOutput();
        })) {
      Ran ran = Ran.onTerminal("get", peer.url("/"), "-i", "-v");
      assertTrue(ran.out().contains("X\033[0m: \\x9b31m \u00e4\n"), ran::toString);
      assertTrue(ran.out().contains("200 \\x9b2J"), ran::toString);
      assertTrue(ran.err().contains("< X: \\x9b31m \u00e4\n"), ran::toString);
    }
  }

  @Test
  void schemeMayBeLeftOut() {
    String port = ":" + server.port();
    assertTrue(Ran.of("get", "127.0.0.1" + port + "/x?y").out().startsWith("GET /x?y\n"));
    assertTrue(Ran.of("get", "localhost" + port).out().startsWith("GET /\n"));
    assertEquals("http://localhost:80/x", GetCommand.absolute(":80/x"));
    assertEquals("http://[::1]:80", GetCommand.absolute("[::1]:80"));
    assertEquals("ftp://x", GetCommand.absolute("ftp://x"));
  }

  private String said(String path, String... options) {
    Ran ran = get(path, options);
    assertEquals(0, ran.code(), ran::err);
    assertEquals("", ran.err());
    return ran.out();
  }

  private Ran get(String path, String... options) {
    return Ran.of(
        Stream.concat(Stream.of("get", url(path)), Stream.of(options)).toArray(String[]::new));
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }
}
