package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9111 section 4.3: what the server is asked, and what its answer changes. */
final class ValidationRulesTest {
  private final CacheScene scene = new CacheScene();

  // ---- 4.3.1: sending a validation request

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          ETag: "a"                      | "a"   |
          ETag: W/"a"                    | W/"a" |
          Last-Modified: {-5}            |       | Fri, 02 Jan 2026 03:04:00 GMT
          ETag: "a"; Last-Modified: {-5} | "a"   | Fri, 02 Jan 2026 03:04:00 GMT
          Last-Modified: before          |       | before
          """)
  void conditionsAreTheStoredValidators(String fields, String etag, String modified)
      throws Exception {
    scene.serve(200, "Cache-Control: no-cache;" + fields, "content");
    scene.get("");
    scene.get("X-Own: 1");
    assertEquals(etag, scene.last().headers().first("If-None-Match"));
    assertEquals(modified, scene.last().headers().first("If-Modified-Since"));
    assertEquals("1", scene.last().headers().first("X-Own"));
  }

  @Test
  void serverIsAskedAboutAllVariants() throws Exception {
    scene.server = request -> {
      String language = request.headers().first("Accept-Language");
      return request.headers().all("If-None-Match").contains("\"de\"")
          ? CacheScene.response(304, "ETag: \"de\"; Vary: Accept-Language", "")
          : CacheScene.response(
              200,
              "Cache-Control: max-age=60; Last-Modified: {-5}; Vary: Accept-Language; ETag: \""
                  + language + "\"",
              language);
    };
    scene.get("Accept-Language: en");
    scene.pass(1);
    scene.get("Accept-Language: de");
    scene.pass(1);
    Response other = scene.get("Accept-Language: de-AT");
    assertEquals(List.of("\"de\"", "\"en\""), scene.last().headers().all("If-None-Match"));
    assertNull(scene.last().headers().first("If-Modified-Since"));
    assertEquals("validated", CacheScene.outcome(other));
    assertEquals("de", other.string());
    assertEquals("heddle; fwd=vary-miss; fwd-status=304", other.headers().first("Cache-Status"));
    assertEquals("de", scene.get("Accept-Language: de").string());
    assertEquals("en", scene.get("Accept-Language: en").string());
  }

  @Test
  void validatorsOfOneUserAreNotShownForAnother() throws Exception {
    scene.serve(200, "Cache-Control: no-cache; ETag: \"1\"", "content");
    scene.get("Authorization: Bearer 1");
    scene.get("Authorization: Bearer 2");
    assertNull(scene.last().headers().first("If-None-Match"));
  }

  // ---- 4.3.2: conditions of the caller's own

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          ETag: "a"                      | If-None-Match: "a"                         | 304
          ETag: W/"a"                    | If-None-Match: "a"                         | 304
          ETag: "a"                      | If-None-Match: "x", W/"a"                  | 304
          ETag: "a"                      | If-None-Match: *                           | 304
          ETag: "a"                      | If-None-Match: "b"                         | 200
          X-None: 1                      | If-None-Match: "b"                         | 200
          Last-Modified: {-5}            | If-Modified-Since: {-5}                    | 304
          Last-Modified: {-5}            | If-Modified-Since: {-4}                    | 304
          Last-Modified: {-5}            | If-Modified-Since: {-6}                    | 200
          Last-Modified: {-5}            | If-Modified-Since: once                    | 200
          Date: {0}                      | If-Modified-Since: {0}                     | 304
          Date: {0}                      | If-Modified-Since: {-1}                    | 200
          ETag: "a"; Last-Modified: {-5} | If-None-Match: "b"; If-Modified-Since: {0} | 200
          """)
  void areEvaluatedWithAFreshResponse(String fields, String conditions, int expected)
      throws Exception {
    scene.serve(
        200, "Cache-Control: max-age=60; Content-Language: en; X-More: 1;" + fields, "content");
    scene.get("");
    Response answer = scene.get(conditions);
    assertEquals("hit", CacheScene.outcome(answer));
    assertEquals(expected, answer.status().code());
    assertEquals(expected == 304 ? "" : "content", answer.string());
    assertEquals(expected == 200, answer.headers().contains("Content-Language"));
    assertEquals("1", answer.headers().first("X-More"));
    assertEquals(1, scene.received.size());
  }

  @Test
  void goToTheServerAsTheyAreIfTheResponseIsStale() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(60);
    Response answer = scene.get("If-None-Match: \"a\"");
    assertEquals(304, answer.status().code());
    assertEquals(List.of("\"a\""), scene.last().headers().all("If-None-Match"));
    assertEquals("hit", CacheScene.outcome(scene.get("")));
  }

  @Test
  void contentThatAnswersThemIsStored() throws Exception {
    scene.server =
        request -> CacheScene.response(200, "Cache-Control: max-age=60; ETag: \"b\"", "new");
    assertEquals("new", scene.get("If-None-Match: \"a\"").string());
    assertEquals("hit", CacheScene.outcome(scene.get("")));
  }

  @Test
  void doNotConcernAStoredError() throws Exception {
    scene.serve(404, "Cache-Control: max-age=60; ETag: \"a\"", "gone");
    scene.get("");
    assertEquals(404, scene.get("If-None-Match: \"a\"").status().code());
  }

  // ---- 4.3.3 and 4.3.4: what the response to a validation means

  @Test
  void notModifiedBringsTheFieldsUpToDate() throws Exception {
    scene.server = request -> CacheScene.isConditional(request)
        ? CacheScene.response(
            304,
            "Cache-Control: max-age=99; ETag: \"a\"; X-New: 1; X-Both: 2; Content-Length: 0;"
                + "Content-Encoding: x; Set-Cookie: c=2",
            "")
        : CacheScene.response(
            200,
            "Cache-Control: max-age=60; ETag: \"a\"; X-Old: 1; X-Both: 1; X-Both: 3;"
                + "Content-Length: 7; Age: 5",
            "content");
    scene.get("");
    scene.pass(100);
    Response validated = scene.get("");
    assertEquals("validated", CacheScene.outcome(validated));
    scene.pass(98);
    Response hit = scene.get("");
    for (Response each : List.of(validated, hit)) {
      assertEquals(200, each.status().code());
      assertEquals("content", each.string());
      assertEquals("max-age=99", each.headers().first("Cache-Control"));
      assertEquals(List.of("2"), each.headers().all("X-Both"));
      assertEquals("1", each.headers().first("X-Old"));
      assertEquals("1", each.headers().first("X-New"));
      assertEquals("7", each.headers().first("Content-Length"));
      assertFalse(each.headers().contains("Content-Encoding"));
    }
    assertEquals("98", hit.headers().first("Age"));
    assertEquals(1, scene.cache.statistics().validated());
  }

  @Test
  void newContentReplacesTheOld() throws Exception {
    scene.server = request -> CacheScene.response(
        200,
        "Cache-Control: max-age=60; ETag: \"" + scene.received.size() + "\"",
        "version " + scene.received.size());
    scene.get("");
    scene.pass(60);
    assertEquals("version 2", scene.get("").string());
    assertEquals("version 2", scene.get("").string());
    assertEquals(2, scene.received.size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # stored, fields of the 304, whether it is about what is stored
          ETag: "a"           | ETag: "a"           | true
          ETag: "a"           | ETag: W/"a"         | true
          ETag: W/"a"         | ETag: W/"a"         | true
          ETag: W/"a"         | ETag: "a"           | false
          ETag: "a"           | ETag: "b"           | false
          ETag: "a"           | X-None: 1           | true
          Last-Modified: {-5} | Last-Modified: {-5} | true
          Last-Modified: {-5} | Last-Modified: {-4} | false
          Last-Modified: {-5} | X-None: 1           | true
          """)
  void notModifiedIsAboutAStoredResponse(String stored, String answer, boolean same)
      throws Exception {
    scene.server = request -> CacheScene.isConditional(request)
        ? CacheScene.response(304, answer, "")
        : CacheScene.response(
            200, "Cache-Control: no-cache;" + stored, "version " + scene.received.size());
    scene.get("");
    Response second = scene.get("");
    assertEquals(same ? "validated" : "miss", CacheScene.outcome(second));
    assertEquals(same ? "version 1" : "version 3", second.string());
  }

  @Test
  void notModifiedAboutAnotherResourceIsNotBelieved() throws Exception {
    // A redirect was followed with the conditions, and its target has the same entity tag.
    Request elsewhere = Request.get("http://example.com/b");
    Response first = CacheScene.response(200, "Cache-Control: no-cache; ETag: \"1\"", "a");
    scene.cache.intercept(Request.get(CacheScene.URL), sent -> first).string();
    List<Request> sent = new java.util.ArrayList<>();
    Response second = scene.cache.intercept(Request.get(CacheScene.URL), request -> {
      sent.add(request);
      Response answer = CacheScene.isConditional(request)
          ? CacheScene.response(304, "ETag: \"1\"", "")
          : CacheScene.response(200, "Cache-Control: max-age=60; ETag: \"1\"", "b");
      return answer.toBuilder().request(elsewhere).build();
    });
    assertEquals("b", second.string());
    assertEquals(2, sent.size());
    assertFalse(CacheScene.isConditional(sent.getLast()));
    assertEquals(
        "validated",
        CacheScene.outcome(scene.cache.intercept(
            Request.get(CacheScene.URL), request -> CacheScene.response(304, "ETag: \"1\"", ""))));
  }

  @Test
  void redirectedResponseIsNotStored() throws Exception {
    Request elsewhere = Request.get("http://example.com/b");
    for (int i = 0; i < 2; i++) {
      Response response = scene.cache.intercept(
          Request.get(CacheScene.URL),
          request -> CacheScene.response(200, "Cache-Control: max-age=60", "b").toBuilder()
              .request(elsewhere)
              .build());
      assertEquals("heddle; fwd=uri-miss", response.headers().first("Cache-Status"));
    }
  }

  @Test
  void responseThatMayNoLongerBeStoredIsForgotten() throws Exception {
    scene.server = request -> CacheScene.isConditional(request)
        ? CacheScene.response(304, "Cache-Control: no-store; ETag: \"a\"", "")
        : CacheScene.response(200, "Cache-Control: no-cache; ETag: \"a\"", "content");
    scene.get("");
    assertEquals("content", scene.get("").string());
    scene.get("");
    assertFalse(CacheScene.isConditional(scene.last()));
  }

  /** Section 5.2.1.5. */
  @Test
  void validationThatMustNotBeStoredLeavesWhatIsStored() throws Exception {
    scene.serve(200, "CC: max-age=60; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(60);
    assertEquals("validated", CacheScene.outcome(scene.get("CC: no-store")));
    assertEquals("504", CacheScene.outcome(scene.get("CC: only-if-cached")));
    assertEquals("validated", CacheScene.outcome(scene.get("")));
  }

  // ---- 4.3.5 and HEAD

  @Test
  void headIsAnsweredByAStoredGet() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60; Content-Length: 7", "content");
    scene.get("");
    Response head = scene.send(Method.HEAD, CacheScene.URL, "");
    assertEquals("hit", CacheScene.outcome(head));
    assertEquals("7", head.headers().first("Content-Length"));
    assertEquals("", head.string());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          200 | ETag: "a"                      | hit
          200 | ETag: "b"                      | miss
          200 | Content-Length: 7              | hit
          200 | Content-Length: 8              | miss
          200 | ETag: "a"; Content-Length: 8   | miss
          200 | ETag: "a"; Last-Modified: {-6} | miss
          200 | X-None: 1                      | hit
          404 | ETag: "b"                      | validated
          """)
  void headFreshensOrInvalidates(int status, String fields, String expected) throws Exception {
    scene.serve(
        200,
        "Cache-Control: max-age=60; ETag: \"a\"; Last-Modified: {-5}; Content-Length: 7",
        "content");
    scene.get("");
    scene.pass(60);
    CacheScene.Server get = scene.server;
    scene.server =
        request -> CacheScene.response(status, "Cache-Control: max-age=60;" + fields, "");
    assertEquals("miss", CacheScene.outcome(scene.send(Method.HEAD, CacheScene.URL, "")));
    assertFalse(CacheScene.isConditional(scene.last()));
    scene.server = get;
    assertEquals(expected, CacheScene.outcome(scene.get("")));
  }

  /** The client asks for codings with GET, and not with HEAD. */
  @Test
  void headSaysNothingAboutAResponseThatVariesByCoding() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60; ETag: W/\"a\"; Vary: Accept-Encoding", "content");
    scene.get("");
    scene.pass(60);
    CacheScene.Server get = scene.server;
    scene.server = request -> CacheScene.response(200, "ETag: \"a\"; Content-Length: 9", "");
    scene.send(Method.HEAD, CacheScene.URL, "").close();
    scene.server = get;
    assertEquals("validated", CacheScene.outcome(scene.get("")));
    assertTrue(CacheScene.isConditional(scene.last()));
  }
}
