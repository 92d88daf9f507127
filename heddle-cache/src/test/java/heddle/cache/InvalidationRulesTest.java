package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.spi.Interceptor.Chain;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9111 section 4.4: what a method that is not safe invalidates. */
final class InvalidationRulesTest {
  private static final String OTHER = "http://example.com/b/c";
  private static final String FOREIGN = "http://example.org/a";

  private final CacheScene scene = new CacheScene();

  @BeforeEach
  void store() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    for (String url : List.of(CacheScene.URL, OTHER, FOREIGN)) {
      scene.send(Method.GET, url, "").close();
    }
  }

  private String outcome(String url) throws IOException {
    return CacheScene.outcome(scene.send(Method.GET, url, "Cache-Control: only-if-cached"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST    | 200 |                                             | 504 | hit
          PUT     | 204 |                                             | 504 | hit
          DELETE  | 200 |                                             | 504 | hit
          PATCH   | 200 |                                             | 504 | hit
          UNKNOWN | 200 |                                             | 504 | hit
          POST    | 303 | Location: /x                                | 504 | hit
          POST    | 400 |                                             | hit | hit
          POST    | 500 | Location: /b/c                              | hit | hit
          OPTIONS | 200 |                                             | hit | hit
          TRACE   | 200 |                                             | hit | hit
          POST    | 201 | Location: /b/c                              | 504 | 504
          POST    | 201 | Location: http://example.com/b/c            | 504 | 504
          POST    | 201 | Location: b/./x/../c                        | 504 | 504
          POST    | 200 | Content-Location: http://example.com:80/b/c | 504 | 504
          POST    | 201 | Location: https://example.com/b/c           | 504 | hit
          POST    | 201 | Location: http://[bad                       | 504 | hit
          POST    | 201 | Location: mailto:ann@example.com            | 504 | hit
          """)
  void methodAndStatus(String method, int status, String fields, String target, String other)
      throws Exception {
    scene.server = request -> CacheScene.response(status, fields == null ? "" : fields, "done");
    Response done = scene.send(Method.of(method), CacheScene.URL, "");
    assertEquals("done", done.string());
    assertEquals("heddle; fwd=method", done.headers().first("Cache-Status"));
    assertEquals(target, outcome(CacheScene.URL));
    assertEquals(other, outcome(OTHER));
    assertEquals("hit", outcome(FOREIGN));
  }

  @Test
  void anotherOriginIsNeverInvalidated() throws Exception {
    scene.server = request ->
        CacheScene.response(201, "Location: " + FOREIGN + "; Content-Location: " + FOREIGN, "");
    scene.send(Method.POST, CacheScene.URL, "").close();
    assertEquals("hit", outcome(FOREIGN));
  }

  @Test
  void redirectThatWasFollowedCountsAsTheAnswer() throws Exception {
    Request post = Request.post(CacheScene.URL, Body.empty());
    Response seeOther =
        CacheScene.response(303, "Location: /b/c", "").toBuilder().request(post).build();
    Response last = CacheScene.response(404, "", "gone");
    scene.cache.intercept(post, request -> last.answering(Request.get(OTHER), List.of(seeOther)));
    assertEquals("504", outcome(CacheScene.URL));
    assertEquals("504", outcome(OTHER));
  }

  @ParameterizedTest
  @CsvSource({"NO, hit", "YES, 504", "UNKNOWN, 504"})
  void callThatFailsMayHaveChangedTheResource(Sent sent, String expected) throws Exception {
    Request post = Request.post(CacheScene.URL, Body.empty());
    scene.server = request -> {
      FailurePoint at =
          new FailurePoint(Method.POST, post.origin(), Phase.SEND, sent, Duration.ZERO);
      throw new HttpException("the connection was lost", at, null);
    };
    assertThrows(IOException.class, () -> scene.cache.intercept(post, scene));
    assertEquals(expected, outcome(CacheScene.URL));
  }

  @Test
  void responseThatWasAskedForBeforeIsNotStoredAfter() throws Exception {
    scene.server = request -> CacheScene.response(
            200, request.method() == Method.GET ? "Cache-Control: max-age=60" : "", "")
        .withBody(Body.of(new ByteArrayInputStream(new byte[3])));
    Response late = scene.send(Method.GET, CacheScene.URL, "Cache-Control: no-cache");
    scene.send(Method.PUT, CacheScene.URL, "").close();
    assertEquals(3, late.bytes().length);
    assertEquals("504", outcome(CacheScene.URL));
    assertEquals("miss", CacheScene.outcome(scene.get("")));
    assertEquals("hit", outcome(CacheScene.URL));
  }

  @Test
  void olderResponseDoesNotReplaceANewerOne() throws Exception {
    scene.server = request -> CacheScene.response(200, "Cache-Control: max-age=60", "")
        .withBody(Body.of(new ByteArrayInputStream(new byte[scene.received.size()])));
    Response slow = scene.send(Method.GET, CacheScene.URL, "Cache-Control: no-cache");
    scene.pass(1);
    int newer =
        scene.send(Method.GET, CacheScene.URL, "Cache-Control: no-cache").bytes().length;
    assertEquals(newer - 1, slow.bytes().length);
    assertEquals(newer, scene.send(Method.GET, CacheScene.URL, "").bytes().length);
  }

  @Test
  void userMayRemoveWhatIsStored() throws Exception {
    scene.cache.invalidate(CacheScene.URL);
    assertEquals("504", outcome(CacheScene.URL));
    assertEquals("hit", outcome(OTHER));
    scene.cache.clear();
    assertEquals("504", outcome(OTHER));
    assertEquals(0, scene.cache.statistics().bytes());
  }

  @Test
  void closedCacheLetsCallsPass() throws Exception {
    scene.cache.close();
    Chain chain = scene;
    for (int i = 0; i < 2; i++) {
      Response response = scene.cache.intercept(Request.get(CacheScene.URL), chain);
      assertEquals("content", response.string());
      assertEquals("miss", CacheScene.outcome(response));
    }
    scene.cache.close();
  }
}
