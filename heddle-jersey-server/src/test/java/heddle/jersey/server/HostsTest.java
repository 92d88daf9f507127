package heddle.jersey.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What resources do on Heddle's server, over both versions of HTTP, and on Grizzly's alike. */
@Timeout(60)
final class HostsTest {
  private static final Map<Host, Host.Running> RUNNING = new EnumMap<>(Host.class);

  @BeforeAll
  static void start() throws Exception {
    for (Host host : Host.values()) {
      RUNNING.put(host, host.start(Loom.application()));
    }
  }

  @AfterAll
  static void close() throws Exception {
    for (Host.Running running : RUNNING.values()) {
      running.close();
    }
  }

  private static String url(Host host, String path) {
    return RUNNING.get(host).url(path);
  }

  private static Response send(Host host, Request request) throws Exception {
    return RUNNING.get(host).client().send(request);
  }

  private static Response send(Host host, Method method, String path) throws Exception {
    return send(host, Request.builder(url(host, path)).method(method).build());
  }

  private static Response get(Host host, String path) throws Exception {
    return send(host, Method.GET, path);
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  @ParameterizedTest
  @EnumSource
  void shortEntitiesHaveATypeAndALength(Host host) throws Exception {
    try (Response response = get(host, "/hello")) {
      assertEquals(200, response.status().code());
      assertEquals("text/plain", response.headers().first("Content-Type"));
      assertEquals("6", response.headers().first("Content-Length"));
      assertEquals("Hello!", response.string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeEntitiesArrive(Host host) throws Exception {
    assertEquals(Loom.LARGE, get(host, "/large").bytes().length);
  }

  @ParameterizedTest
  @EnumSource
  void headHasTheFieldsOfGet(Host host) throws Exception {
    try (Response response = send(host, Method.HEAD, "/hello")) {
      assertEquals(200, response.status().code());
      assertEquals("6", response.headers().first("Content-Length"));
      assertEquals("text/plain", response.headers().first("Content-Type"));
      assertEquals("", response.string());
    }
    assertEquals("Hello!", get(host, "/hello").string());
  }

  @ParameterizedTest
  @EnumSource
  void optionsNamesTheMethods(Host host) throws Exception {
    try (Response response = send(host, Method.OPTIONS, "/hello")) {
      String allowed = response.headers().first("Allow");
      assertEquals(
          Set.of("GET", "HEAD", "OPTIONS", "PUT"),
          new TreeSet<>(List.of(allowed.replace(" ", "").split(","))));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/nowhere,404",
    "DELETE,/hello,405",
    "PUT,/hello,204",
    "DELETE,/things,204",
    "GET,/conflict,409",
    "BREW,/hello,405"
  })
  void statusesAreSent(String method, String path, int status) throws Exception {
    for (Host host : Host.values()) {
      try (Response response = send(host, Method.of(method), path)) {
        assertEquals(status, response.status().code(), host.name());
        assertEquals(0, response.bytes().length, host.name());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void locationsAreAbsolute(Host host) throws Exception {
    try (Response response = send(host, Method.POST, "/things")) {
      assertEquals(201, response.status().code());
      assertEquals(url(host, "/things/7"), response.headers().first("Location"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/uris/a/b /_/uris/a/b_a/b_{}",
        "/uris/a%2Fb%20c /_/uris/a%2Fb%20c_a/b#c_{}",
        "/uris/%C3%BC?q=%C3%BC&q=2&r /_/uris/%C3%BC?q=%C3%BC&q=2&r_\u00fc_{q=[\u00fc,#2],#r=[]}",
        "/uris/x;m=1 /_/uris/x;m=1_x_{}",
      })
  void pathsAndQueriesAreDecodedOnce(String path, String expected) throws Exception {
    for (Host host : Host.values()) {
      String got = new String(get(host, path).bytes(), StandardCharsets.UTF_8);
      assertEquals(expected.replace('_', ' ').replace('#', ' '), got, host.name());
    }
  }

  @ParameterizedTest
  @EnumSource
  void fieldsWithSeveralValuesPassBothWays(Host host) throws Exception {
    Request request = Request.builder(url(host, "/fields"))
        .header("X-One", "1")
        .header("X-Many", "a")
        .header("X-Many", "b")
        .build();
    try (Response response = send(host, request)) {
      assertEquals(List.of("a", "b"), response.headers().all("X-Back"));
      assertEquals("1 [a, b]", response.string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void noOneIsAuthenticated(Host host) throws Exception {
    assertEquals("false null null false", get(host, "/security").string());
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "100", "1000000"})
  void entitiesAreReadAndWrittenAsStreams(int size) throws Exception {
    byte[] content = random(size);
    for (Host host : Host.values()) {
      Request request = Request.post(url(host, "/echo"), Body.of(content));
      assertArrayEquals(content, send(host, request).bytes(), host.name());
      assertEquals(
          "" + size,
          send(host, Request.post(url(host, "/length"), Body.of(content))).string(),
          host.name());
    }
  }

  @ParameterizedTest
  @EnumSource
  void flushedContentArrivesBeforeTheRest(Host host) throws Exception {
    Loom.read = new CountDownLatch(1);
    try (Response response = get(host, "/parts");
        InputStream in = response.body().stream()) {
      assertEquals(Loom.LARGE, in.readNBytes(Loom.LARGE).length);
      Loom.read.countDown();
      assertEquals("end", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/mapped,418,mend it", "/async/mapped,418,mend it", "/async/resumed,200,resumed",
    "/async/at-once,200,at once", "/async/stage,200,staged", "/async/handled,200,late",
    "/async/extended,200,third"
  })
  void answersComeFromMappersAndOtherThreads(String path, int status, String content)
      throws Exception {
    for (Host host : Host.values()) {
      try (Response response = get(host, path)) {
        assertEquals(status, response.status().code(), host.name());
        assertEquals(content, response.string(), host.name());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"/unmapped,500", "/async/unmapped,500", "/async/timeout,503", "/async/failed,406"})
  void failuresAreAnsweredWithoutDetails(String path, int status) throws Exception {
    for (Host host : Host.values()) {
      try (Response response = get(host, path)) {
        assertEquals(status, response.status().code(), host.name());
        assertFalse(response.string().contains("secret"), host.name());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancelledResponsesNameATime(Host host) throws Exception {
    try (Response response = get(host, "/async/cancelled")) {
      assertEquals(503, response.status().code());
      assertEquals("7", response.headers().first("Retry-After"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void resumingThreadsWriteLargeEntities(Host host) throws Exception {
    assertEquals(Loom.LARGE, get(host, "/async/large").bytes().length);
  }

  @ParameterizedTest
  @EnumSource
  void eventsArriveAsTheyAreSent(Host host) throws Exception {
    Loom.read = new CountDownLatch(1);
    try (Response response = get(host, "/events");
        BufferedReader in = new BufferedReader(
            new InputStreamReader(response.body().stream(), StandardCharsets.UTF_8))) {
      assertEquals("text/event-stream", response.headers().first("Content-Type"));
      assertEquals(Set.of("id: 1", "data: weft"), event(in));
      Loom.read.countDown();
      assertEquals(Set.of("event: pass", "id: 2", "data: warp"), event(in));
      assertEquals(null, in.readLine());
    }
  }

  private static Set<String> event(BufferedReader in) throws Exception {
    Set<String> lines = new TreeSet<>();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      lines.add(line);
    }
    return lines;
  }
}
