package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9111 sections 2 and 4.1: which stored response is the one for a request. */
final class SelectionRulesTest {
  private final CacheScene scene = new CacheScene();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # response, first request, later request, what becomes of that
          Vary: X-A            | X-A: en          | X-A: en        | hit
          Vary: X-A            | X-A: en          | X-A: de        | miss
          Vary: X-A            | X-A: en          |                | miss
          Vary: X-A            |                  | X-A: en        | miss
          Vary: X-A            |                  |                | hit
          Vary: x-a            | X-A: en          | X-A: de        | miss
          Vary: X-A            | X-A: en, de      | X-A: en,de     | hit
          Vary: X-A            | X-A: en; X-A: de | X-A: en ,, de  | hit
          Vary: X-A            | X-A: en, de      | X-A: de, en    | miss
          Vary: X-A            | X-A: "a, b"      | X-A: "a,b"     | miss
          Vary: X-A, X-B       | X-A: 1; X-B: 2   | X-A: 1; X-B: 2 | hit
          Vary: X-A, X-B       | X-A: 1; X-B: 2   | X-A: 1; X-B: 3 | miss
          Vary: X-A; Vary: X-B | X-A: 1; X-B: 2   | X-A: 1; X-B: 3 | miss
          Vary: *              |                  |                | miss
          Vary: X-A, *         |                  |                | miss
          Vary: not a name     |                  |                | miss
          X-C: 1               | X-A: 1           | X-A: 2         | hit
          # a user's credentials select too, unless the response is public
          X-C: 1                   | Authorization: Bearer 1 | Authorization: Bearer 1 | hit
          X-C: 1                   | Authorization: Bearer 1 | Authorization: Bearer 2 | miss
          X-C: 1                   | Authorization: Bearer 1 |                         | miss
          X-C: 1                   |                         | Authorization: Bearer 1 | miss
          X-C: 1                   | Cookie: a=1             | Cookie: a=2             | miss
          CC: public               | Authorization: Bearer 1 | Authorization: Bearer 2 | hit
          CC: public               | Cookie: a=1             |                         | hit
          CC: public; Vary: Cookie | Cookie: a=1             | Cookie: a=2             | miss
          # coded content is for those who have asked for it, even if the server does not say so
          Content-Encoding: br | Accept-Encoding: br | Accept-Encoding: br | hit
          Content-Encoding: br | Accept-Encoding: br |                     | miss
          """)
  void fieldsOfTheRequest(String response, String first, String later, String expected)
      throws Exception {
    scene.serve(200, "Cache-Control: max-age=60;" + response, "content");
    scene.get(first == null ? "" : first);
    assertEquals(expected, CacheScene.outcome(scene.get(later == null ? "" : later)));
  }

  @Test
  void eachVariantIsStored() throws Exception {
    scene.server = request -> CacheScene.response(
        200,
        "Cache-Control: max-age=60; Vary: Accept-Language",
        String.valueOf(request.headers().first("Accept-Language")));
    for (String language : new String[] {"en", "de", "fr"}) {
      scene.get("Accept-Language: " + language);
    }
    for (String language : new String[] {"en", "de", "fr"}) {
      Response hit = scene.get("Accept-Language: " + language);
      assertEquals("hit", CacheScene.outcome(hit));
      assertEquals(language, hit.string());
    }
  }

  @Test
  void oldestOfManyVariantsMakesRoom() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60; Vary: X-A", "content");
    for (int i = 0; i <= CacheStore.MOST_VARIANTS; i++) {
      scene.get("X-A: " + i);
    }
    assertEquals("hit", CacheScene.outcome(scene.get("X-A: 1; Cache-Control: only-if-cached")));
    assertEquals("504", CacheScene.outcome(scene.get("X-A: 0; Cache-Control: only-if-cached")));
  }

  @Test
  void responseThatVariesByManyFieldsIsNotStored() throws Exception {
    StringBuilder vary = new StringBuilder("X-0");
    for (int i = 1; i < Variant.MOST_FIELDS; i++) {
      vary.append(", X-").append(i);
    }
    scene.serve(200, "Cache-Control: max-age=60; Vary: " + vary, "content");
    scene.get("");
    assertEquals("hit", CacheScene.outcome(scene.get("")));
    scene.serve(200, "Cache-Control: max-age=60; Vary: " + vary + ", X-More", "content");
    scene.get("Cache-Control: no-cache");
    scene.cache.clear();
    scene.get("");
    assertEquals("miss", CacheScene.outcome(scene.get("")));
  }

  /** Section 4: the most recent one is used, so that a newer one replaces what it overlaps. */
  @Test
  void newerResponseReplacesTheOnesItsRequestWouldHaveSelected() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "old");
    scene.get("");
    scene.serve(200, "Cache-Control: max-age=60; Vary: X-A", "new");
    scene.get("X-A: 1; Cache-Control: no-cache");
    assertEquals("new", scene.get("X-A: 1").string());
    assertEquals("504", CacheScene.outcome(scene.get("Cache-Control: only-if-cached")));
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/a?x=1, miss",
    "http://example.com/A, miss",
    "https://example.com/a, miss",
    "http://example.com:8080/a, miss",
    "http://EXAMPLE.com:80/a#part, hit"
  })
  void keyIsTheUri(String url, String expected) throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    scene.get("");
    assertEquals(expected, CacheScene.outcome(scene.send(Method.GET, url, "")));
  }

  // ---- fields that steps behind the cache add

  private void addingBehindTheCache(HeaderName name, String value, String response) {
    scene.server = request -> {
      Request sent = request.toBuilder().header(name, value).build();
      return CacheScene.response(200, response, "content").toBuilder()
          .request(sent)
          .build();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "Cookie, a=b, ''",
    "Accept-Language, en, ''",
    "Accept-Encoding, br, Content-Encoding: br",
  })
  void responseThatVariesByAFieldWhichTheCacheDoesNotSeeIsNotStored(
      String name, String value, String also) throws Exception {
    String fields = "Cache-Control: max-age=60; Vary: " + name + ";" + also;
    addingBehindTheCache(HeaderName.of(name), value, fields);
    CacheSteps steps = new CacheSteps(scene);
    assertEquals("miss", CacheScene.outcome(steps.get("")));
    assertEquals("miss", CacheScene.outcome(steps.get("")));
  }

  @ParameterizedTest
  @CsvSource({"Accept-Encoding, gzip", "User-Agent, heddle"})
  void fieldsThatTheClientAddsToAllRequestsDoNotMatter(String name, String value) throws Exception {
    addingBehindTheCache(HeaderName.of(name), value, "Cache-Control: max-age=60; Vary: " + name);
    CacheSteps steps = new CacheSteps(scene);
    assertEquals("miss", CacheScene.outcome(steps.get("")));
    assertEquals("hit", CacheScene.outcome(steps.get("")));
    assertEquals("miss", CacheScene.outcome(steps.get(name + ": other")));
  }

  /** A chain that returns the server's response with the request that the server has seen. */
  private record CacheSteps(CacheScene scene) {
    Response get(String fields) throws Exception {
      Request request =
          Request.builder(CacheScene.URL).headers(CacheScene.headers(fields)).build();
      Response response = scene.cache.intercept(request, sent -> scene.server.answer(sent));
      response.string();
      return response;
    }
  }
}
