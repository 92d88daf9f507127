package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Redaction;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.RefusedRequest;
import heddle.testwatch.Conditions;
import heddle.web.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class AccessLogTest {
  private static final Instant NOW = Instant.parse("2026-11-28T08:13:48.123456Z");
  private static final Attribute<String> ROUTE = Attribute.of("route", String.class);

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private AccessLog log(AccessLog.Format format) {
    return AccessLog.builder(lines::add)
        .format(format)
        .clock(InstantSource.fixed(NOW))
        .route(ROUTE)
        .redaction(Redaction.DEFAULTS.withParameters("token"))
        .build();
  }

  private String line() throws InterruptedException {
    String line = lines.poll(20, TimeUnit.SECONDS);
    assertTrue(line != null, "no line was written");
    assertNull(lines.poll(), "there is one line per request");
    return line;
  }

  private static ExchangeHandler hello() {
    return exchange -> Response.ok("Hello");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void linesHaveTheCommonFormats(HttpVersion version) throws Exception {
    String begin =
        "127.0.0.1 - - [28/Nov/2026:08:13:48 +0000] \"GET /a?token=***&b=1 " + version + "\" 200 5";
    try (Served served = new Served(version, log(AccessLog.Format.COMMON), hello())) {
      assertEquals("Hello", served.get("/a?token=secret&b=1").string());
      assertEquals(begin, line());
      served.client.send(served.request(Method.HEAD, "/")).close();
      assertTrue(line().endsWith("\"HEAD / " + version + "\" 200 -"));
    }
    try (Served served = new Served(version, log(AccessLog.Format.COMBINED), hello())) {
      String referer = "https://a:b@example.com/x?token=secret";
      served
          .get("/a?token=secret&b=1", "Referer", referer, "User-Agent", "curl/8")
          .string();
      assertEquals(begin + " \"https://***@example.com/x?token=***\" \"curl/8\"", line());
      served.get("/a?token=secret&b=1").string();
      assertEquals(begin + " \"-\" \"-\"", line());
    }
  }

  @Test
  void jsonHasAllThatIsKnown() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.set(ROUTE, "/a/{id}");
      return Response.ok("Hello");
    };
    Filter id = new RequestId();
    try (Served served =
        new Served(HttpVersion.HTTP_2, log(AccessLog.Format.JSON), id.before(handler))) {
      served
          .get("/a/7", "Referer", "http://b/", "User-Agent", "curl/8", "X-Request-Id", "r-1")
          .close();
      String line = line().replaceFirst("\"micros\":[1-9][0-9]*", "\"micros\":1");
      assertEquals(
          "{\"time\":\"2026-11-28T08:13:48.123Z\",\"remote\":\"127.0.0.1\",\"method\":\"GET\","
              + "\"target\":\"/a/7\",\"protocol\":\"HTTP/2\",\"status\":200,\"bytes\":5,"
              + "\"micros\":1,\"complete\":true,\"referer\":\"http://b/\","
              + "\"userAgent\":\"curl/8\",\"requestId\":\"r-1\",\"route\":\"/a/{id}\"}",
          line);
    }
  }

  @ParameterizedTest
  @CsvSource({"COMMON", "COMBINED", "JSON"})
  void aResponseThatIsCutIsMarked(AccessLog.Format format) throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.write(new byte[20_000]);
      out.flush();
      throw new IOException("on purpose");
    };
    try (Served served = new Served(HttpVersion.HTTP_1_1, log(format), handler)) {
      try (Response cut = served.get("/")) {
        assertEquals(200, cut.status().code());
      }
      String line = line();
      if (format == AccessLog.Format.JSON) {
        assertTrue(
            line.contains("\"status\":200,\"bytes\":20000,")
                && line.contains("\"complete\":false,")
                && line.endsWith("\"error\":\"java.io.IOException\"}"),
            line);
      } else {
        assertTrue(line.contains(" 200 20000") && line.endsWith(" cut"), line);
      }
    }
  }

  @Test
  void aHandlerThatThrowsIsLoggedWithItsStatus() throws Exception {
    ExchangeHandler handler = exchange -> {
      throw new IllegalStateException("on purpose");
    };
    try (Served served = new Served(HttpVersion.HTTP_1_1, log(AccessLog.Format.COMMON), handler)) {
      assertEquals(500, served.get("/").status().code());
      assertTrue(line().endsWith("\" 500 -"));
    }
  }

  @Test
  void streamedContentIsLoggedWhenItHasEnded() throws Exception {
    ExchangeHandler handler = exchange -> Response.ok(Body.written(MediaType.OCTET_STREAM, out -> {
      out.write(new byte[50_000]);
      out.flush();
      assertTrue(lines.isEmpty(), "not before its end");
      out.write(1);
    }));
    try (Served served = new Served(HttpVersion.HTTP_1_1, log(AccessLog.Format.COMMON), handler)) {
      assertEquals(50_001, served.get("/").bytes().length);
      assertTrue(line().endsWith("200 50001"));
    }
  }

  @Test
  void theBytesAreThoseThatAreSent() throws Exception {
    byte[] content = new byte[100_000];
    ExchangeHandler handler = Compression.defaults().before(exchange -> Response.builder(Status.OK)
        .header("Content-Type", "text/plain")
        .body(Body.of(new ByteArrayInputStream(content)))
        .build());
    try (Served served = new Served(HttpVersion.HTTP_1_1, log(AccessLog.Format.COMMON), handler)) {
      int sent = served.get("/", "Accept-Encoding", "gzip").bytes().length;
      assertTrue(line().endsWith("200 " + sent));
    }
  }

  @Test
  void aPeerCanNeitherSplitNorForgeALine() throws Exception {
    for (AccessLog.Format format : AccessLog.Format.values()) {
      try (Served served = new Served(null, log(format), hello());
          Socket socket = new Socket("127.0.0.1", served.server.port())) {
        String evil = "x\" 200 1 \"\\\"} \u0085\u00ff\t" + "y".repeat(3000);
        socket
            .getOutputStream()
            .write(("GET /%22?a=\"\\ HTTP/1.1\r\nHost: t\r\nUser-Agent: " + evil + "\r\nReferer: "
                    + evil + "\r\nX-Request-Id: " + evil + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
        String line = line();
        assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7F), line);
        assertTrue(line.length() < 8000, () -> "" + line.length());
        assertFalse(line.replace("\\\"", "").contains("x\" 200"), line);
      }
    }
  }

  private void refuse(AccessLog.Format format, String line, Headers headers, Status status) {
    log(format)
        .refused(new RefusedRequest(new InetSocketAddress("127.0.0.1", 1), line, headers, status));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "GET /a?token=secret&b=1 HTTP/1.1 | GET /a?token=***&b=1 HTTP/1.1",
        "GET /a?token=my secret HTTP/1.1 | GET /a?token=*** HTTP/1.1",
        "GET /a?token=sec | GET /a?token=***",
        "GET  HTTP/1.1 | GET  HTTP/1.1",
        "- /b HTTP/2 | - /b HTTP/2",
        "a?token=secret | a?token=***",
        "GET | GET",
        "x\u0016\u00ff\"\\ | x\\x16\\xff\\\"\\\\",
        "~~ | -"
      })
  void aRefusedRequestIsLoggedAsFarAsItIsKnown(String request, String shown) throws Exception {
    String begin = "127.0.0.1 - - [28/Nov/2026:08:13:48 +0000] \"" + shown + "\" ";
    refuse(AccessLog.Format.COMMON, request, Headers.empty(), Status.BAD_REQUEST);
    assertEquals(begin + "400 -", line());
    refuse(AccessLog.Format.COMBINED, request, Headers.of("User-Agent", "curl/8"), null);
    assertEquals(begin + "- - \"-\" \"curl/8\"", line());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "GET /a?token=secret&b=1 HTTP/1.1"
            + " | ,\"method\":\"GET\",\"target\":\"/a?token=***&b=1\",\"protocol\":\"HTTP/1.1\"",
        "- /b HTTP/2 | ,\"method\":\"-\",\"target\":\"/b\",\"protocol\":\"HTTP/2\"",
        "GET /a?token=sec | ,\"request\":\"GET /a?token=***\"",
        "x\u0016\u00ff\"\\ | ,\"request\":\"x\\u0016\\u00ff\\\"\\\\\"",
        "~~ | ~~"
      })
  void theJsonOfARefusedRequestHasWhatIsKnown(String request, String members) throws Exception {
    String begin = "{\"time\":\"2026-11-28T08:13:48.123Z\",\"remote\":\"127.0.0.1\"" + members;
    refuse(AccessLog.Format.JSON, request, Headers.empty(), Status.BAD_REQUEST);
    assertEquals(begin + ",\"status\":400,\"refused\":true}", line());
    Headers fields = Headers.of("User-Agent", "curl/8", "X-Request-Id", "r-1");
    refuse(AccessLog.Format.JSON, request, fields, null);
    assertEquals(
        begin + ",\"refused\":true,\"userAgent\":\"curl/8\",\"requestId\":\"r-1\"}", line());
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void whatTheServerRefusesIsLogged(HttpVersion version) throws Exception {
    Router router = Router.builder().filter(log(AccessLog.Format.COMMON)).build();
    try (Served served = new Served(version, new RequestId(), router)) {
      String path = "/?token=secret&" + "a".repeat(9000);
      assertEquals(Status.URI_TOO_LONG, served.get(path).status());
      String line = line();
      assertTrue(line.startsWith("127.0.0.1 - - [28/Nov/2026:08:13:48 +0000] \"GET /?token=***"));
      assertTrue(line.endsWith("\" 414 -"), line);
      assertTrue(line.length() < 2200, line);
    }
  }

  @Test
  void aPeerCanNeitherSplitNorForgeTheLineOfARefusedRequest() throws Exception {
    for (AccessLog.Format format : AccessLog.Format.values()) {
      try (Served served = new Served(null, log(format), hello());
          Socket socket = new Socket("127.0.0.1", served.server.port())) {
        String evil = "x\" 200 1 \"\\\"} \u0085\u00ff\t" + "y".repeat(3000);
        socket
            .getOutputStream()
            .write(("GET " + evil + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
        String line = line();
        assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7F), line);
        assertTrue(line.length() < 3000, () -> "" + line.length());
        assertFalse(line.replace("\\\"", "").contains("x\" 200"), line);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a\"b | \"a\\\"b\" | \"a\\\"b\"",
        "a\\b | \"a\\\\b\" | \"a\\\\b\"",
      })
  void quotesAndBackslashesAreEscaped(String text, String quoted, String json) {
    assertEquals(quoted, quoted(text));
    assertEquals(json, json(text));
  }

  private static String quoted(String text) {
    StringBuilder line = new StringBuilder();
    Escapes.quoted(line, text);
    return line.toString();
  }

  private static String json(String text) {
    StringBuilder line = new StringBuilder();
    Escapes.json(line, text);
    return line.toString();
  }

  @Test
  void everyOtherCharacterIsPrintableAscii() {
    assertEquals("\"\\x0d\\x0a\\x7f\\xff\\u2028\"", quoted("\r\n\u007f\u00ff\u2028"));
    assertEquals("\"\\u000d\\u000a\\u007f\\u00ff\\u2028\"", json("\r\n\u007f\u00ff\u2028"));
    assertEquals("\"" + "\\u0000".repeat(2048) + "...\"", json("\0".repeat(2049)));
  }

  @Test
  void aLoggerGetsTheLines() throws Exception {
    List<String> logged = Collections.synchronizedList(new ArrayList<>());
    Logger logger = new Logger() {
      @Override
      public String getName() {
        return "access";
      }

      @Override
      public boolean isLoggable(Level level) {
        return true;
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        logged.add(level + " " + message);
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        logged.add(level + " " + format);
      }
    };
    AccessLog log = AccessLog.builder(logger).format(AccessLog.Format.COMMON).build();
    try (Served served = new Served(HttpVersion.HTTP_1_1, log, hello())) {
      served.get("/%7B0%7D'").close();
      Conditions.await("the line is logged", () -> logged.size() == 1);
      assertTrue(logged.getFirst().startsWith("INFO 127.0.0.1 - - ["), logged.getFirst());
      assertTrue(logged.getFirst().contains("\"GET /%7B0%7D' "), logged.getFirst());
    }
  }
}
