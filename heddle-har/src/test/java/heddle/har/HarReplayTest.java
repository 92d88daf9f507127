package heddle.har;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Form;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client gets from a recording instead of a network. */
@Timeout(60)
final class HarReplayTest {
  private static final byte[] BINARY = {(byte) 0x89, 'P', 'N', 'G', 0};

  @TempDir
  private Path folder;

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(HarReplayTest.class.getResource(name)).toURI());
  }

  private static HttpClient client(HarReplay replay) {
    return HttpClient.builder().interceptor(replay).build();
  }

  @FunctionalInterface
  private interface Calls {
    /** Makes the calls and returns what came of them. */
    List<String> make(HttpClient client, String url) throws Exception;
  }

  /** Makes the same calls with a server, recorded, and then from the recording. */
  private void assertReplayed(HarRecorder.Builder recording, Calls calls) throws Exception {
    Path file = folder.resolve("calls.har");
    List<String> first;
    String url;
    try (MockServer server = MockServer.start();
        HarRecorder recorder = recording.build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      int[] count = {0};
      server.handler(request -> switch (request.target()) {
        case "/old" -> MockResponse.of(302).header("Location", "/new?sig=1").body("moved");
        case "/binary" -> MockResponse.ok(BINARY).header("Content-Type", "image/png");
        case "/latin" ->
          MockResponse.ok(new byte[] {'a', (byte) 0xE4})
              .header("Content-Type", "text/plain; charset=iso-8859-1");
        case "/missing" -> MockResponse.of(404).body("gone");
        case "/none" -> MockResponse.of(204);
        case "/echo" -> MockResponse.ok(request.text());
        default -> MockResponse.ok(count[0]++ + " for " + request.target());
      });
      url = server.url("");
      first = calls.make(client, url);
    }
    HarReplay replay = HarReplay.builder(file).matchContent().build();
    try (HttpClient client = client(replay)) {
      assertEquals(first, calls.make(client, url));
    }
    assertEquals(List.of(), replay.unused());
  }

  private HarRecorder.Builder recorder() {
    return HarRecorder.builder(folder.resolve("calls.har"));
  }

  @Test
  void recordedCallsAreAnsweredAsTheyWere() throws Exception {
    assertReplayed(recorder(), (client, url) -> {
      List<String> seen = new ArrayList<>();
      for (String path : List.of("/a", "/old", "/a", "/latin", "/missing", "/none", "/a?sig=2")) {
        try (Response response = client.get(url + path)) {
          seen.add(response + " " + response.earlier().size() + " " + response.string());
        }
      }
      assertArrayEquals(BINARY, client.get(url + "/binary").bytes());
      seen.add(client.head(url + "/a").headers().toString());
      return seen;
    });
  }

  @Test
  void requestsAreToldApartByTheirContents() throws Exception {
    assertReplayed(
        recorder(),
        (client, url) -> List.of(
            client.post(url + "/echo", Body.of("one")).string(),
            client
                .post(url + "/echo", Body.of(new ByteArrayInputStream("two".getBytes(UTF_8))))
                .string(),
            new String(client.post(url + "/echo", Body.of(BINARY)).bytes(), UTF_8),
            client.post(url + "/echo", Form.of("a", "b c").body()).string()));
  }

  @Test
  void failuresAreReplayed() throws Exception {
    Path file = folder.resolve("calls.har");
    String url;
    try (MockServer server = MockServer.start();
        HarRecorder recorder = recorder().build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      server.enqueue(MockResponse.ok("hello").with(MockFault.cutInBody(3)));
      url = server.url("");
      assertThrows(IOException.class, () -> client.get(url + "/cut").string());
      server.close();
      assertThrows(IOException.class, () -> client.get(url + "/refused"));
    }
    try (HttpClient client = client(HarReplay.of(file))) {
      HttpException cut =
          assertThrows(HttpException.class, () -> client.get(url + "/cut").string());
      assertTrue(
          cut.getMessage()
              .contains("entry 0 (GET " + url + "/cut, 200) has failed when it"
                  + " was recorded: heddle.http.failure.ConnectionLost"),
          cut::getMessage);
      HttpException refused = assertThrows(HttpException.class, () -> client.get(url + "/refused"));
      assertTrue(refused.getMessage().contains("ConnectFailedException"), refused::getMessage);
    }
  }

  @Test
  void maskedParametersAreNotCompared() throws Exception {
    Path file = folder.resolve("calls.har");
    Redaction redaction = Redaction.DEFAULTS.withParameters("token");
    String url;
    try (MockServer server = MockServer.start();
        HarRecorder recorder = recorder().redaction(redaction).build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      server.enqueue(MockResponse.ok("hello"));
      url = server.url("/?a=1&token=");
      client.post(url + "first", Form.of("token", "first").body()).string();
    }
    HarReplay replay =
        HarReplay.builder(file).redaction(redaction).matchContent().build();
    try (HttpClient client = client(replay)) {
      Response response = client.post(url + "other", Form.of("token", "other").body());
      assertEquals("hello", response.string());
    }
  }

  // ---- files of browsers

  @Test
  void fileOfChromeIsUnderstood() throws Exception {
    HarReplay replay = HarReplay.of(resource("chrome.har"));
    try (HttpClient client = client(replay)) {
      Response start = client.get("https://shop.example/");
      assertEquals(HttpVersion.HTTP_2, start.version());
      assertEquals("<p>Gr\u00fc\u00dfe, L\u00e4dchen</p>", start.string());
      assertEquals("{Content-Type: text/html; charset=utf-8}", start.headers().toString());
      Response moved = start.earlier().getFirst();
      assertEquals(List.of("a=1; Path=/", "b=2; Path=/"), moved.headers().all("Set-Cookie"));
      assertEquals("Found", moved.status().reason());
      Response picture = client.get("https://shop.example/dot.png");
      assertEquals(HttpVersion.HTTP_1_1, picture.version());
      assertEquals(8, picture.bytes().length);
      HttpException blocked =
          assertThrows(HttpException.class, () -> client.get("https://ads.example/pixel"));
      assertTrue(blocked.getMessage().contains("net::ERR_BLOCKED_BY_CLIENT"), blocked::getMessage);
      assertEquals(
          List.of("entry 6 (GET https://shop.example/evicted.js, 200)"),
          replay.unused().stream().map(HarReplay.Entry::toString).toList());
    }
  }

  @Test
  void contentThatIsNotInTheFileCanBeDiscardedButNotRead() throws Exception {
    HarReplay replay = HarReplay.builder(resource("chrome.har")).repeatLast().build();
    try (HttpClient client = client(replay)) {
      client.get("https://shop.example/evicted.js").body().discard();
      HttpException missing = assertThrows(
          HttpException.class,
          () -> client.get("https://shop.example/evicted.js").string());
      assertEquals(
          "the content of entry 6 (GET https://shop.example/evicted.js, 200) is not in the"
              + " recording",
          missing.problem());
    }
  }

  @Test
  void contentThatWasNotReadWhenItWasRecordedCannotBeReadBeyondThat() throws Exception {
    Path file = folder.resolve("calls.har");
    String url;
    try (MockServer server = MockServer.start();
        HarRecorder recorder = recorder().build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      server.handler(request -> MockResponse.ok("hello".repeat(10_000)));
      url = server.url("/");
      try (Response response = client.get(url)) {
        assertEquals("hel", new String(response.body().stream().readNBytes(3), UTF_8));
      }
    }
    try (HttpClient client = client(HarReplay.builder(file).repeatLast().build());
        Response response = client.get(url)) {
      assertEquals("hel", new String(response.body().stream().readNBytes(3), UTF_8));
      HttpException missing =
          assertThrows(HttpException.class, () -> client.get(url).string());
      assertTrue(missing.problem().endsWith(": closed after 3 bytes"), missing::problem);
    }
  }

  @Test
  void fileOfFirefoxIsUnderstood() throws Exception {
    HarReplay replay = HarReplay.builder(resource("firefox.har")).matchContent().build();
    try (HttpClient client = client(replay)) {
      Body second = Form.of("item", "8").body();
      Response conflict = client.post("https://api.example/orders", second);
      assertEquals("409 Conflict", conflict.status().toString());
      Body first = Form.of("item", "7", "note", "a").body();
      Response created = client.post("https://api.example/orders", first);
      assertEquals(HttpVersion.HTTP_2, created.version());
      assertEquals("{\"id\":1}", created.string());
      Response latin = client.get("http://api.example/alt");
      assertEquals(5, latin.body().length());
      assertEquals("gr\u00fc\u00dfe", latin.string());
      assertFalse(latin.headers().contains("Transfer-Encoding"));
    }
    assertEquals(List.of(), replay.unused());
  }

  // ---- requests and entries that do not meet

  private static NotRecordedException refused(HarReplay replay, Request request) {
    try (HttpClient client = client(replay)) {
      return assertThrows(NotRecordedException.class, () -> client.send(request));
    }
  }

  @Test
  void requestThatIsNotRecordedFailsWithWhatIsSimilar() throws Exception {
    HarReplay replay = HarReplay.of(resource("chrome.har"));
    NotRecordedException failure =
        refused(replay, Request.get("https://shop.example/start?lang=en&sig=secret"));
    assertTrue(
        failure
            .problem()
            .endsWith("chrome.har has no entry for GET"
                + " https://shop.example/start?lang=en&sig=***; closest: entry 1 (GET"
                + " https://shop.example/start?lang=de, 200), entry 0 (GET"
                + " https://shop.example/, 302), entry 2 (GET"
                + " https://shop.example/dot.png, 200)"),
        failure::problem);
    assertTrue(
        failure.getMessage().contains("GET https://shop.example:443/start while"),
        failure::getMessage);
    Request other = Request.post("https://shop.example/", Body.of("x"));
    assertTrue(refused(replay, other).problem().contains("has no entry for POST"));
  }

  @Test
  void entryAnswersOnceUnlessTheLastIsToBeRepeated() throws Exception {
    HarReplay replay = HarReplay.of(resource("firefox.har"));
    Request request = Request.get("http://api.example/alt");
    try (HttpClient client = client(replay)) {
      client.send(request).string();
    }
    assertEquals(
        "has no unused entry for GET http://api.example/alt: entry 2 (GET"
            + " http://api.example/alt, 200)",
        refused(replay, request).problem().replaceFirst(".*firefox.har ", ""));
    HarReplay repeating =
        HarReplay.builder(resource("firefox.har")).repeatLast().build();
    Body any = Body.of("any");
    try (HttpClient client = client(repeating)) {
      assertEquals(
          List.of(201, 409, 409),
          List.of(
              client.post("https://api.example/orders", any).status().code(),
              client.post("https://api.example/orders", any).status().code(),
              client.post("https://api.example/orders", any).status().code()));
    }
  }

  @Test
  void contentThatIsNotRecordedFails() throws Exception {
    HarReplay replay = HarReplay.builder(resource("firefox.har")).matchContent().build();
    Request request = Request.post("https://api.example/orders", Body.of("other"));
    assertTrue(
        refused(replay, request).problem().contains("has no unused entry with this content for"));
  }

  @Test
  void eachOfManyThreadsGetsAnEntryOfItsOwn() throws Exception {
    Path file = folder.resolve("calls.har");
    String url;
    try (MockServer server = MockServer.start();
        HarRecorder recorder = recorder().build();
        HttpClient client = recorder.attach(HttpClient.builder()).build()) {
      url = server.url("/");
      for (int i = 0; i < 200; i++) {
        server.enqueue(MockResponse.ok("number " + i));
        client.get(url).string();
      }
    }
    HarReplay replay = HarReplay.of(file);
    TreeSet<String> seen = new TreeSet<>();
    try (HttpClient client = client(replay);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> calls = IntStream.range(0, 200)
          .mapToObj(i -> threads.submit(() -> client.get(url).string()))
          .toList();
      for (Future<String> call : calls) {
        seen.add(call.get());
      }
    }
    assertEquals(200, seen.size());
    assertEquals(List.of(), replay.unused());
  }

  @Test
  void contentThatCanBeSentOnceIsReadAsIfItWereSent() throws Exception {
    ByteArrayInputStream content = new ByteArrayInputStream(new byte[1000]);
    try (HttpClient client = client(HarReplay.of(resource("firefox.har")))) {
      client.post("https://api.example/orders", Body.of(content)).close();
    }
    assertEquals(0, content.available());
  }
}
