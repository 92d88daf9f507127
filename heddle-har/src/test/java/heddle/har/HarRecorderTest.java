package heddle.har;

import static heddle.har.HarRules.field;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.RetryPolicy;
import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a recorder writes of the calls of a client. */
@Timeout(60)
final class HarRecorderTest {
  @TempDir
  private Path folder;

  private Path file;

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("calls.har");
    server = MockServer.start();
    server.handler(request ->
        MockResponse.ok("answer to " + request.target()).header("Content-Type", "text/plain"));
  }

  @FunctionalInterface
  private interface Calls {
    void make(HttpClient client) throws Exception;
  }

  /** The entries of what was recorded of these calls. */
  private List<JsonNode> recorded(HarRecorder.Builder settings, Calls calls) throws Exception {
    try (HarRecorder recorder = settings.build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      calls.make(client);
    }
    return HarRules.entries(file);
  }

  private List<JsonNode> recorded(Calls calls) throws Exception {
    return recorded(HarRecorder.builder(file), calls);
  }

  private JsonNode only(Calls calls) throws Exception {
    List<JsonNode> entries = recorded(calls);
    assertEquals(1, entries.size(), entries::toString);
    return entries.getFirst();
  }

  private static String text(JsonNode entry) {
    return entry.path("response").path("content").path("text").asString("none");
  }

  private static String comment(JsonNode entry) {
    return entry.path("response").path("content").path("comment").asString("none");
  }

  // ---- what an entry has

  @Test
  void exchangeHasItsRequestItsResponseAndItsConnection() throws Exception {
    JsonNode entry = only(client -> {
      Request request = Request.builder(server.url("/a%20b?q=1+2&x"))
          .method(Method.POST)
          .header("X-Name", "gr\u00c3\u00bc\u00c3\u009fe")
          .body(Form.of("item", "7 & 8").body())
          .build();
      client.send(request).string();
    });
    JsonNode request = entry.path("request");
    assertEquals("POST", request.path("method").asString());
    assertEquals(server.url("/a%20b?q=1+2&x"), request.path("url").asString());
    assertEquals("HTTP/1.1", request.path("httpVersion").asString());
    assertEquals(
        "[{\"name\":\"q\",\"value\":\"1 2\"},{\"name\":\"x\",\"value\":\"\"}]",
        request.path("queryString").toString());
    assertEquals("gr\u00fc\u00dfe", field(request, "X-Name"));
    assertEquals("127.0.0.1:" + server.port(), field(request, "Host"));
    assertTrue(field(request, "User-Agent").startsWith("heddle/"), request::toString);
    assertEquals("item=7+%26+8", request.path("postData").path("text").asString());
    assertEquals(
        "[{\"name\":\"item\",\"value\":\"7 & 8\"}]",
        request.path("postData").path("params").toString());
    JsonNode response = entry.path("response");
    assertEquals(200, response.path("status").asInt());
    assertEquals("text/plain", response.path("content").path("mimeType").asString());
    assertEquals("answer to /a%20b?q=1+2&x", text(entry));
    assertEquals(text(entry).length(), response.path("bodySize").asInt());
    assertEquals("127.0.0.1", entry.path("serverIPAddress").asString());
    assertTrue(Long.parseLong(entry.path("connection").asString()) > 0);
    assertTrue(entry.path("timings").path("connect").asDouble() > 0, entry::toString);
  }

  @Test
  void connectionsAreOpenedOnce() throws Exception {
    List<JsonNode> entries = recorded(client -> {
      client.get(server.url("/1")).string();
      client.get(server.url("/2")).string();
    });
    assertEquals(
        entries.get(0).path("connection").asString(),
        entries.get(1).path("connection").asString());
    assertEquals(-1, entries.get(1).path("timings").path("connect").asDouble());
    assertEquals(-1, entries.get(1).path("timings").path("ssl").asDouble());
  }

  @Test
  void exchangesOverTlsAndHttp2SayIt() throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost");
    TlsOptions trusting = TlsOptions.builder().context(identity.trusting()).build();
    try (MockServer secure = MockServer.builder().tls(identity.server()).start();
        HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = recorder.attach(HttpClient.builder().tls(trusting)).build()) {
      secure.enqueue(MockResponse.ok("hello"));
      assertEquals(
          "hello", client.get("https://localhost:" + secure.port() + "/").string());
      JsonNode entry = HarRules.entries(file).getFirst();
      assertEquals("HTTP/2", entry.path("request").path("httpVersion").asString());
      assertEquals("HTTP/2", entry.path("response").path("httpVersion").asString());
      assertEquals("none", field(entry.path("request"), "Host"));
      assertTrue(entry.path("timings").path("ssl").asDouble() > 0, entry::toString);
    }
  }

  @Test
  void redirectsAreEntries() throws Exception {
    server.enqueue("/old", MockResponse.of(302).header("Location", "/new?sig=1").body("moved"));
    List<JsonNode> entries = recorded(client -> client.get(server.url("/old")).string());
    assertEquals(2, entries.size());
    assertEquals(302, entries.get(0).path("response").path("status").asInt());
    assertEquals(
        "/new?sig=***", entries.get(0).path("response").path("redirectURL").asString());
    assertEquals("not recorded: the call went on with another request", comment(entries.get(0)));
    assertEquals("answer to /new?sig=1", text(entries.get(1)));
  }

  @Test
  void retriesAreEntries() throws Exception {
    server.enqueue("/", MockResponse.of(503));
    RetryPolicy patient = RetryPolicy.onStatus()
        .backoff(Duration.ofMillis(1), Duration.ofMillis(2))
        .build();
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client =
            recorder.attach(HttpClient.builder().retries(patient)).build()) {
      client.get(server.url("/")).string();
    }
    assertEquals(
        List.of(503, 200),
        HarRules.entries(file).stream()
            .map(each -> each.path("response").path("status").asInt())
            .toList());
  }

  @Test
  void failedCallHasStatusZeroAndItsFailure() throws Exception {
    String url = server.url("/?sig=secret");
    server.close();
    JsonNode entry = only(client -> assertThrows(IOException.class, () -> client.get(url)));
    assertEquals(0, entry.path("response").path("status").asInt());
    String failure = entry.path("response").path("_error").asString();
    assertTrue(failure.startsWith("heddle.http.failure.ConnectFailedException: "), failure);
    assertFalse(entry.toString().contains("secret"), entry::toString);
  }

  @Test
  void responseThatIsCutShortHasItsBeginningAndItsFailure() throws Exception {
    server.enqueue(MockResponse.ok("hello").with(MockFault.cutInBody(3)));
    JsonNode entry = only(client ->
        assertThrows(IOException.class, () -> client.get(server.url("/")).string()));
    assertEquals(200, entry.path("response").path("status").asInt());
    assertEquals("hel", text(entry));
    assertTrue(entry.path("response").path("_error").asString().contains("ConnectionLost"));
  }

  @Test
  void answerOfAStepIsAnEntry() throws Exception {
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = recorder
            .attach(HttpClient.builder())
            .interceptor((request, chain) -> Response.ok("made up"))
            .build()) {
      assertEquals("made up", client.get("http://a.test/x").string());
    }
    JsonNode entry = HarRules.entries(file).getFirst();
    assertEquals("made up", text(entry));
    assertTrue(entry.path("connection").isMissingNode());
  }

  // ---- what is masked

  @Test
  void credentialsAndNamedParametersAreMasked() throws Exception {
    server.handler(request -> MockResponse.of(200)
        .header("Set-Cookie", "id=secret; Path=/a; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT")
        .header("X-Key", "secret"));
    Redaction redaction = Redaction.DEFAULTS.withFields("X-Key").withParameters("password");
    List<JsonNode> entries = recorded(HarRecorder.builder(file).redaction(redaction), client -> {
      Request request = Request.builder(server.url("/?password=secret&a=1"))
          .method(Method.POST)
          .header("Authorization", "Bearer secret")
          .header("Cookie", "id=secret; theme=secret")
          .body(Form.of("user", "ann", "password", "secret").body())
          .build();
      client.send(request).close();
    });
    String text = Files.readString(file);
    assertFalse(text.contains("secret"), text);
    JsonNode request = entries.getFirst().path("request");
    assertEquals("user=ann&password=***", request.path("postData").path("text").asString());
    assertEquals(
        "[{\"name\":\"id\",\"value\":\"***\"},{\"name\":\"theme\",\"value\":\"***\"}]",
        request.path("cookies").toString());
    assertEquals(
        "[{\"name\":\"id\",\"value\":\"***\",\"path\":\"/a\","
            + "\"expires\":\"2026-10-21T07:28:00Z\",\"httpOnly\":true}]",
        entries.getFirst().path("response").path("cookies").toString());
  }

  @Test
  void nothingIsMaskedIfTheUserSaysSo() throws Exception {
    List<JsonNode> entries =
        recorded(HarRecorder.builder(file).redaction(Redaction.none()), client -> {
          client
              .send(Request.builder(server.url("/?sig=1"))
                  .header("Cookie", "a=shown")
                  .build())
              .close();
        });
    assertEquals("a=shown", field(entries.getFirst().path("request"), "Cookie"));
    assertTrue(entries.getFirst().path("request").path("url").asString().endsWith("?sig=1"));
  }

  // ---- contents

  /** The response is larger than what the recorder may hold, and the caller gets all of it. */
  @Test
  void longContentIsLeftOutAndReachesTheCaller() throws Exception {
    byte[] content = new byte[300_000];
    new Random(7).nextBytes(content);
    server.handler(request -> MockResponse.ok(content).chunked());
    List<JsonNode> entries = recorded(HarRecorder.builder(file).maxContentBytes(1000), client -> {
      Body sent = Body.of(new ByteArrayInputStream(content));
      assertArrayEquals(content, client.send(Request.put(server.url("/"), sent)).bytes());
      assertArrayEquals(content, server.takeRequest().body());
    });
    String expected = "left out: it has 300000 bytes, more than the 1000 that are recorded";
    JsonNode entry = entries.getFirst();
    assertEquals(expected, comment(entry));
    assertEquals("none", text(entry));
    assertEquals(300_000, entry.path("response").path("content").path("size").asInt());
    JsonNode postData = entry.path("request").path("postData");
    assertEquals(expected, postData.path("comment").asString());
    assertTrue(postData.path("text").isMissingNode());
  }

  @Test
  void contentIsRecordedAsItWasReadInPieces() throws Exception {
    server.handler(request -> MockResponse.ok("a\u00e4".repeat(5000)).chunked());
    JsonNode entry = only(client -> {
      Request put = Request.put(
          server.url("/"), Body.of(new ByteArrayInputStream("sent".repeat(2000).getBytes(UTF_8))));
      try (InputStream in = client.send(put).body().stream()) {
        in.read();
        byte[] piece = new byte[7];
        for (int read = 0; read >= 0; ) {
          read = in.read(piece, 1, 5);
        }
      }
    });
    assertEquals("a\u00e4".repeat(5000), text(entry));
    assertEquals(
        "sent".repeat(2000), entry.path("request").path("postData").path("text").asString());
  }

  /** The log is inside of the recorder, and notes the content too. */
  @Test
  void contentOfARequestIsRecordedWhateverElseNotesIt() throws Exception {
    WireLog log = WireLog.builder().sink((call, line) -> {}).contentBytes(3).build();
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = log.attach(recorder.attach(HttpClient.builder())).build()) {
      Body sent = Body.of(new ByteArrayInputStream("hello".getBytes(UTF_8)));
      client.send(Request.put(server.url("/"), sent)).string();
    }
    JsonNode entry = HarRules.entries(file).getFirst();
    assertEquals("hello", entry.path("request").path("postData").path("text").asString());
    assertEquals("answer to /", text(entry));
  }

  @Test
  void contentThatWasNotSentIsSaidToBe() throws Exception {
    String url = server.url("/");
    server.close();
    JsonNode entry = only(client -> {
      Body body = Body.of(new ByteArrayInputStream("hello".getBytes(UTF_8)));
      assertThrows(IOException.class, () -> client.send(Request.put(url, body)));
    });
    JsonNode postData = entry.path("request").path("postData");
    assertEquals("none of it was sent", postData.path("comment").asString());
    assertTrue(postData.path("text").isMissingNode());
  }

  @Test
  void contentThatIsNotTextIsBase64() throws Exception {
    byte[] octets = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xFF};
    server.handler(request -> MockResponse.ok(octets).header("Content-Type", "image/png"));
    JsonNode entry = only(
        client -> client.send(Request.post(server.url("/"), Body.of(octets))).bytes());
    JsonNode content = entry.path("response").path("content");
    assertEquals("base64", content.path("encoding").asString());
    assertArrayEquals(octets, Base64.getDecoder().decode(text(entry)));
    JsonNode sent = entry.path("request").path("postData");
    assertEquals("base64", sent.path("_encoding").asString());
    assertArrayEquals(octets, Base64.getDecoder().decode(sent.path("text").asString()));
  }

  @Test
  void codedContentIsRecordedDecoded() throws Exception {
    String plain = "compressible ".repeat(100);
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(plain.getBytes(UTF_8));
    }
    server.handler(
        request -> MockResponse.ok(coded.toByteArray()).header("Content-Encoding", "gzip"));
    JsonNode entry = only(client -> client.get(server.url("/")).string());
    assertEquals(plain, text(entry));
    assertEquals(
        plain.length(), entry.path("response").path("content").path("size").asInt());
    assertEquals(coded.size(), entry.path("response").path("bodySize").asInt());
    assertEquals(
        plain.length() - coded.size(),
        entry.path("response").path("content").path("compression").asInt());
  }

  @Test
  void contentThatWasNotReadIsSaidToBe() throws Exception {
    server.handler(request -> MockResponse.ok("hello".repeat(10_000)));
    List<JsonNode> entries = recorded(client -> {
      client.get(server.url("/discarded")).body().discard();
      try (Response response = client.get(server.url("/closed"))) {
        assertEquals("hel", new String(response.body().stream().readNBytes(3), UTF_8));
      }
    });
    assertEquals("discarded", comment(entries.get(0)));
    assertEquals("closed after 3 bytes", comment(entries.get(1)));
    assertEquals("hel", text(entries.get(1)));
  }

  /** Small content has arrived with the head, so that the call is over; it may be forgotten. */
  @Test
  void responseThatIsForgottenIsWrittenOnceItIsGarbage() throws Exception {
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      assertEquals(200, client.get(server.url("/forgotten")).status().code());
      while (HarRules.entries(file).stream()
          .noneMatch(each -> each.path("request").path("url").asString().endsWith("/forgotten"))) {
        System.gc();
        client.get(server.url("/other")).string();
      }
    }
  }

  /** None of them is read, so that the recorder holds what it captured. */
  @Test
  void contentsThatAreHeldAtOnceAreBounded() {
    ContentRoom room = new ContentRoom(10_000);
    List<Capture> captures =
        IntStream.range(0, 100).mapToObj(i -> new Capture(1000, room)).toList();
    captures.forEach(each -> each.add(new byte[1000], 0, 1000));
    assertEquals(10, captures.stream().filter(each -> each.beginning() != null).count());
    captures.forEach(each -> assertEquals(1000, each.length()));
    captures.forEach(Capture::release);
    Capture next = new Capture(10_000, room);
    next.add(new byte[10_000], 0, 10_000);
    assertEquals(10_000, Objects.requireNonNull(next.beginning()).length);
  }

  // ---- the file

  @Test
  void fileIsCompleteAfterEachEntryWithoutBeingClosed() throws Exception {
    try (HarRecorder recorder = HarRecorder.to(file);
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      for (int i = 0; i < 5; i++) {
        assertEquals(i, HarRules.entries(file).size());
        assertEquals(i, HarReplay.of(file).unused().size());
        client.get(server.url("/" + i)).string();
      }
      assertEquals(5, recorder.entries());
    }
  }

  @Test
  void olderFileIsReplaced() throws Exception {
    Files.writeString(file, "x".repeat(100_000));
    assertEquals(List.of(), recorded(client -> {}));
  }

  @Test
  void fullFileIsCompleteAndSaysHowMuchIsMissing() throws Exception {
    List<JsonNode> entries = recorded(HarRecorder.builder(file).maxFileBytes(5000), client -> {
      for (int i = 0; i < 20; i++) {
        client.get(server.url("/" + i)).string();
      }
    });
    String text = Files.readString(file);
    assertTrue(entries.size() > 1 && text.length() <= 5100, text);
    String expected = (20 - entries.size())
        + " exchanges were left out: the file has reached its limit of 5000 bytes";
    assertTrue(text.contains(expected), text);
  }

  @Test
  void exchangeThatGoesOnWhenTheRecorderIsClosedIsWritten() throws Exception {
    server.handler(request -> MockResponse.ok("hello".repeat(10_000)));
    try (HttpClient client = recordedUntilTheHead()) {
      client.get(server.url("/later")).string();
    }
    List<JsonNode> entries = HarRules.entries(file);
    assertEquals(1, entries.size());
    assertEquals("the recorder was closed before the exchange was over", comment(entries.get(0)));
  }

  private HttpClient recordedUntilTheHead() throws IOException {
    HarRecorder recorder = HarRecorder.to(file);
    HttpClient client = recorder.attach(HttpClient.builder()).build();
    try (Response response = client.get(server.url("/"))) {
      recorder.close();
      assertEquals(50_000, response.bytes().length);
    }
    return client;
  }

  @Test
  void interruptOfACallLeavesTheFileUsable() throws Exception {
    server.enqueue("/silent", MockResponse.fault(MockFault.blackHole()));
    List<JsonNode> entries = recorded(client -> {
      Thread caller = Thread.ofVirtual()
          .start(() -> assertThrows(IOException.class, () -> client.get(server.url("/silent"))));
      server.takeRequest();
      caller.interrupt();
      caller.join();
      client.get(server.url("/next")).string();
    });
    assertEquals(2, entries.size());
    assertTrue(entries.get(0).path("response").path("_error").asString().contains("Interrupted"));
    assertEquals("answer to /next", text(entries.get(1)));
  }

  @Test
  void manyThreadsWriteWholeEntries() throws Exception {
    List<JsonNode> entries = recorded(client -> {
      List<Future<?>> calls = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 400; i++) {
          String url = server.url("/" + i);
          calls.add(threads.submit(() -> client.get(url).string()));
        }
      }
      for (Future<?> call : calls) {
        call.get();
      }
    });
    assertEquals(400, entries.size());
    for (JsonNode entry : entries) {
      String url = entry.path("request").path("url").asString();
      assertEquals("answer to " + url.substring(url.lastIndexOf('/')), text(entry));
    }
    assertEquals(
        400,
        entries.stream()
            .map(each -> each.path("request").path("url"))
            .distinct()
            .count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no/such/folder/calls.har"})
  void fileThatCannotBeWrittenIsNamed(String name) {
    Path bad = folder.resolve(name);
    IOException failure = assertThrows(IOException.class, () -> HarRecorder.to(bad));
    assertTrue(failure.getMessage().startsWith("cannot write to " + bad), failure::getMessage);
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    HarRecorder.Builder builder = HarRecorder.builder(file);
    assertThrows(IllegalArgumentException.class, () -> builder.maxContentBytes(-1));
    assertThrows(IllegalArgumentException.class, () -> builder.maxFileBytes(1023));
  }

  @Test
  void textIsWrittenOnlyIfItGivesTheSameOctetsAgain() {
    MediaType latin = MediaType.parse("text/plain; charset=iso-8859-1");
    byte[] octets = {'a', (byte) 0xE4};
    assertEquals("a\u00e4", ContentText.exact(octets, latin));
    assertEquals(null, ContentText.exact(octets, MediaType.TEXT_PLAIN_UTF8));
    byte[] marked = {(byte) 0xFF, (byte) 0xFE, 'a', 0};
    assertEquals(null, ContentText.exact(marked, MediaType.parse("text/plain; charset=utf-16")));
    assertEquals(null, ContentText.exact(new byte[] {'a', 0}, null));
    assertEquals("", ContentText.exact(new byte[0], null));
  }
}
