package heddle.har;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.spi.CallInfo;
import heddle.http.Body;
import heddle.http.Form;
import heddle.http.Method;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lines that show what a client sends and receives. */
@Timeout(60)
final class WireLogTest {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private WireLog.Builder log() {
    return WireLog.builder().sink((call, line) -> lines.add(line));
  }

  /** Sends a request, reads the response, and returns the lines with times as 0. */
  private List<String> shown(WireLog.Builder log, Request request) throws IOException {
    try (HttpClient client = log.build()
        .attach(HttpClient.builder().userAgent(null).contentCodings(null))
        .build()) {
      client.send(request).bytes();
    }
    return lines.stream().map(line -> line.replaceAll("[0-9.]+ ms", "0 ms")).toList();
  }

  @Test
  void exchangeIsShownLineByLine() throws IOException {
    server.enqueue(MockResponse.ok("hello").header("X-One", "1"));
    String host = "127.0.0.1:" + server.port();
    assertEquals(
        List.of(
            "* connected to " + host + " in 0 ms",
            "> GET /a?b HTTP/1.1",
            "> Host: " + host,
            "> Accept: */*",
            ">",
            "* request sent in 0 ms",
            "* response after 0 ms",
            "< HTTP/1.1 200",
            "< X-One: 1",
            "< Content-Length: 5",
            "<",
            "* 5 bytes of content received, 0 ms in all"),
        shown(log(), Request.builder(server.url("/a?b")).header("Accept", "*/*").build()));
  }

  @Test
  void credentialsAndNamedParametersAreMasked() throws IOException {
    server.enqueue(MockResponse.ok("x")
        .header("Set-Cookie", "a=secret")
        .header("Location", "https://u:secret@h/?code=secret"));
    Request request = Request.builder(server.url("/?code=secret&sig=secret"))
        .method(Method.POST)
        .header("Authorization", "Bearer secret")
        .body(Form.of("code", "secret", "name", "ann").body())
        .build();
    Redaction redaction = Redaction.DEFAULTS.withParameters("code");
    List<String> shown = shown(log().redaction(redaction).contentBytes(100), request);
    assertFalse(shown.toString().contains("secret"), shown::toString);
    assertTrue(
        shown.containsAll(List.of(
            "> POST /?code=***&sig=*** HTTP/1.1",
            "> Authorization: ***",
            "> | code=***&name=ann",
            "< Set-Cookie: ***",
            "< Location: https://***@h/?code=***")),
        shown::toString);
  }

  @Test
  void beginningOfTextIsShown() throws IOException {
    server.enqueue(MockResponse.ok("one\ntwo\u00e4\nthree"));
    Request request = Request.post(
        server.url("/"),
        Body.of(new ByteArrayInputStream("sent".getBytes(StandardCharsets.UTF_8))));
    List<String> shown = shown(log().contentBytes(8), request);
    int first = shown.indexOf("< | one");
    assertTrue(first > 0 && shown.contains("> | sent"), shown::toString);
    // The limit cuts the letter, which has two octets.
    assertEquals(
        List.of("< | one", "< | two", "< | ... 8 of 15 bytes"), shown.subList(first, first + 3));
  }

  @Test
  void contentThatIsNotTextIsNotShown() throws IOException {
    server.enqueue(MockResponse.ok(new byte[] {'P', 'K', 0, 1}));
    List<String> shown = shown(log().contentBytes(100), Request.get(server.url("/")));
    assertTrue(shown.contains("< | 4 bytes that are not text"), shown::toString);
  }

  @Test
  void controlsOfAPeerAreSpeltOut() throws IOException {
    server.enqueue(MockResponse.ok("").header("X-One", "\u009b31m\u00c3\u00a4"));
    List<String> shown = shown(log(), Request.get(server.url("/")));
    assertTrue(
        shown.stream().anyMatch(line -> line.startsWith("< X-One: ") && line.endsWith("31m\u00e4")),
        shown::toString);
    assertTrue(
        shown.stream().noneMatch(line -> line.chars().anyMatch(Character::isISOControl)),
        shown::toString);
  }

  @Test
  void sinkThatFailsHasNoEffectOnTheCall() throws IOException {
    server.enqueue(MockResponse.ok("hello"));
    WireLog.Builder failing = WireLog.builder().contentBytes(10).sink((call, line) -> {
      lines.add(line);
      if (line.equals("<") || line.startsWith("< |")) {
        throw new IllegalStateException("injected into the sink");
      }
    });
    try (HttpClient client = failing.build().attach(HttpClient.builder()).build()) {
      assertEquals("hello", client.get(server.url("/")).string());
    }
    assertTrue(lines.contains("< | hello"), lines::toString);
  }

  @Test
  void failureIsShown() throws IOException {
    String url = server.url("/");
    server.close();
    assertThrows(IOException.class, () -> shown(log(), Request.get(url)));
    assertTrue(lines.getFirst().startsWith("* failed: "), lines::toString);
  }

  @Test
  void noLinesAreMadeIfNoneAreWanted() throws IOException {
    server.enqueue(MockResponse.ok("hello"));
    WireLog.Sink off = new WireLog.Sink() {
      @Override
      public void line(CallInfo call, String line) {
        lines.add(line);
      }

      @Override
      public boolean isOn() {
        return false;
      }
    };
    assertEquals(List.of(), shown(log().sink(off).contentBytes(10), Request.get(server.url("/"))));
  }

  @Test
  void linesGoToTheLoggerWithTheNumberOfTheirCall() throws IOException {
    Logger logger = Logger.getLogger("heddle.wire");
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord record) {
        lines.add(record.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    server.handler(request -> MockResponse.ok("hello"));
    Level before = logger.getLevel();
    logger.addHandler(handler);
    try (HttpClient client = WireLog.create().attach(HttpClient.builder()).build()) {
      client.get(server.url("/quiet")).string();
      logger.setLevel(Level.FINE);
      client.get(server.url("/shown")).string();
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
    assertTrue(
        lines.stream().anyMatch(line -> line.matches("[0-9]+ > GET /shown HTTP/1.1")),
        lines::toString);
    assertFalse(lines.toString().contains("quiet"), lines::toString);
  }
}
