package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RFC 9111 sections 4.2 and 5.2, RFC 5861 and RFC 8246: when a stored response is used, and when
 * the server is asked. Each row is a response, the seconds until the next request, its fields, and
 * what becomes of it. Validators let the server answer 304.
 */
final class FreshnessRulesTest {
  private static void check(CacheScene scene, String response, long later, String asks, String is)
      throws Exception {
    scene.serve(200, response, "content");
    scene.get("");
    scene.pass(later);
    Response second = scene.get(asks == null ? "" : asks);
    assertEquals(is, CacheScene.outcome(second));
    if (!is.equals("504")) {
      assertEquals(200, second.status().code());
      assertEquals("content", second.string());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # 4.2.1: the lifetime that the response says
          CC: max-age=60                                      | 59         |  | hit
          CC: max-age=60                                      | 60         |  | miss
          CC: max-age=60; ETag: "a"                           | 60         |  | validated
          CC: max-age="60"                                    | 59         |  | hit
          CC: MAX-AGE=60                                      | 59         |  | hit
          CC: max-age=60, max-age=10                          | 30         |  | hit
          CC: max-age=99999999999999999999                    | 2147483647 |  | hit
          CC: max-age=99999999999999999999; ETag: "a"         | 2147483648 |  | validated
          Date: {0}; Expires: {60}                            | 59         |  | hit
          Date: {0}; Expires: {60}                            | 60         |  | miss
          CC: max-age=60; Date: {0}; Expires: {10}            | 59         |  | hit
          CC: max-age=10; Date: {0}; Expires: {60}; ETag: "a" | 10         |  | validated
          # of shared caches
          CC: max-age=60, s-maxage=10                 | 59 |               | hit
          CC: max-age=10, s-maxage=60; ETag: "a"      | 10 |               | validated
          CC: max-age=10, proxy-revalidate; ETag: "a" | 20 | CC: max-stale | hit
          # invalid freshness counts as none
          CC: max-age=soon; ETag: "a"            | 0  |  | validated
          CC: max-age; ETag: "a"                 | 0  |  | validated
          CC: max-age=-5; ETag: "a"              | 0  |  | validated
          Date: {0}; Expires: 0; ETag: "a"       | 0  |  | validated
          Date: {0}; Expires: {-60}; ETag: "a"   | 0  |  | validated
          Date: {0}; Expires: {60}; Expires: {5} | 30 |  | hit
          # 4.2.2: a tenth of the time since the last change, a day at most
          Date: {0}; Last-Modified: {-1000}      | 99    |  | hit
          Date: {0}; Last-Modified: {-1000}      | 100   |  | validated
          Date: {0}; Last-Modified: {-100000000} | 86399 |  | hit
          Date: {0}; Last-Modified: {-100000000} | 86400 |  | validated
          Date: {0}; Last-Modified: {1000}       | 0     |  | validated
          Last-Modified: {-1000}                 | 99    |  | hit
          # 4.2.3: the age with which it has come
          CC: max-age=60; Age: 50              | 9  |  | hit
          CC: max-age=60; Age: 50              | 10 |  | miss
          CC: max-age=60; Age: old             | 59 |  | hit
          CC: max-age=60; Date: {-50}          | 9  |  | hit
          CC: max-age=60; Date: {-50}          | 10 |  | miss
          CC: max-age=60; Date: {-50}; Age: 20 | 10 |  | miss
          CC: max-age=60; Date: {50}           | 59 |  | hit
          CC: max-age=60; Date: yesterday      | 59 |  | hit
          # dates whose milliseconds overflow
          CC: max-age=60; Date: Fri, 01 Jan +999999999 00:00:00 GMT  | 59 |  | hit
          CC: max-age=60; Date: Mon Nov  6 08:49:37 -999999994       | 59 |  | hit
          Date: {0}; Expires: Fri, 01 Jan +999999999 00:00:00 GMT; ETag: "a" | 0 |  | validated
          """)
  void lifetimeAndAge(String response, long later, String asks, String expected) throws Exception {
    check(new CacheScene(), response, later, asks, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # 5.2.1: directives of the request
          CC: max-age=60; ETag: "a" | 0    | CC: no-cache                     | validated
          CC: max-age=60            | 0    | CC: no-cache                     | miss
          CC: max-age=60; ETag: "a" | 0    | Pragma: no-cache                 | validated
          CC: max-age=60            | 0    | Pragma: no-cache; CC: max-age=60 | hit
          CC: max-age=60; ETag: "a" | 29   | CC: max-age=30                   | hit
          CC: max-age=60; ETag: "a" | 31   | CC: max-age=30                   | validated
          CC: max-age=60; ETag: "a" | 0    | CC: max-age=0                    | validated
          CC: max-age=60; ETag: "a" | 9    | CC: max-age=x                    | validated
          CC: max-age=60; ETag: "a" | 50   | CC: min-fresh=10                 | hit
          CC: max-age=60; ETag: "a" | 51   | CC: min-fresh=10                 | validated
          CC: max-age=60; ETag: "a" | 0    | CC: min-fresh=x                  | validated
          CC: max-age=60; ETag: "a" | 9000 | CC: max-stale                    | hit
          CC: max-age=60; ETag: "a" | 70   | CC: max-stale=10                 | hit
          CC: max-age=60; ETag: "a" | 71   | CC: max-stale=10                 | validated
          CC: max-age=60; ETag: "a" | 70   | CC: max-stale=x                  | validated
          CC: max-age=60; ETag: "a" | 35   | CC: max-age=30, max-stale=5      | hit
          CC: max-age=60; ETag: "a" | 36   | CC: max-age=30, max-stale=5      | validated
          CC: max-age=60; ETag: "a" | 70   | CC: max-stale=20, min-fresh=1    | validated
          CC: max-age=60            | 59   | CC: only-if-cached               | hit
          CC: max-age=60            | 60   | CC: only-if-cached               | 504
          CC: max-age=60            | 70   | CC: only-if-cached, max-stale    | hit
          CC: no-store              | 0    | CC: only-if-cached               | 504
          CC: max-age=60            | 30   | CC: no-store                     | hit
          CC: max-age=60            | 30   | CC: no-transform, x=y            | hit
          # 5.2.2: directives of the response that forbid what is stale
          CC: no-cache; ETag: "a"                          | 0  |               | validated
          CC: no-cache, max-age=60; ETag: "a"              | 0  | CC: max-stale | validated
          CC: no-cache="Set-Cookie", max-age=60; ETag: "a" | 0  |               | validated
          CC: max-age=60, must-revalidate; ETag: "a"       | 59 |               | hit
          CC: max-age=60, must-revalidate; ETag: "a"       | 60 | CC: max-stale | validated
          # RFC 8246
          CC: max-age=60, immutable; ETag: "a" | 30 | CC: max-age=0 | hit
          CC: max-age=60, immutable; ETag: "a" | 30 | CC: no-cache  | validated
          CC: max-age=60, immutable; ETag: "a" | 60 | CC: max-age=0 | validated
          CC: max-age=60, immutable; ETag: "a" | 60 |               | validated
          # RFC 5861 section 3
          CC: max-age=60, stale-while-revalidate=10; ETag: "a" | 70 |                    | hit
          CC: max-age=60, stale-while-revalidate=10; ETag: "a" | 71 |                    | validated
          CC: max-age=60, stale-while-revalidate=10; ETag: "a" | 65 | CC: no-cache       | validated
          CC: max-age=60, stale-while-revalidate=10; ETag: "a" | 65 | CC: max-age=62     | validated
          CC: max-age=60, stale-while-revalidate=10; ETag: "a" | 65 | CC: only-if-cached | hit
          # must-revalidate forbids it, and so does a request that wants nothing older
          CC: max-age=60, immutable, stale-while-revalidate=9; ETag: "a"|65|CC: max-age=6|validated
          CC: max-age=60, stale-while-revalidate=10, must-revalidate; ETag: "a" | 65 | | validated
          """)
  void directives(String response, long later, String asks, String expected) throws Exception {
    check(new CacheScene(), response, later, asks, expected);
  }

  @ParameterizedTest
  @CsvSource({"0, validated", "1, hit"})
  void heuristicFreshnessHasTheBoundThatTheUserSets(long seconds, String expected)
      throws Exception {
    CacheScene scene = new CacheScene(
        CacheStore.inMemory(1 << 20),
        settings -> settings.maxHeuristicFreshness(Duration.ofSeconds(seconds)));
    check(scene, "Date: {0}; Last-Modified: {-1000}", 0, "", expected);
  }

  @Test
  void clockThatGoesBackMakesTheAgeUnknown() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, "Cache-Control: max-age=60; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(-1);
    assertEquals("hit", CacheScene.outcome(scene.get("")));
    scene.pass(-10);
    assertEquals("validated", CacheScene.outcome(scene.get("")));
  }

  @Test
  void ageCountsTheTimeThatTheRequestTook() throws Exception {
    CacheScene scene = new CacheScene();
    scene.server = request -> {
      scene.pass(50);
      return CacheScene.response(200, "Cache-Control: max-age=60; Age: 1", "content");
    };
    scene.get("");
    scene.pass(8);
    Response hit = scene.get("");
    assertEquals("hit", CacheScene.outcome(hit));
    assertEquals("59", hit.headers().first("Age"));
    assertEquals("heddle; hit; ttl=1", hit.headers().first("Cache-Status"));
    scene.pass(1);
    assertEquals("miss", CacheScene.outcome(scene.get("")));
  }

  @Test
  void responseThatWasJustValidatedHasNoAge() throws Exception {
    CacheScene scene = new CacheScene();
    scene.serve(200, "Cache-Control: max-age=60; ETag: \"a\"", "content");
    scene.get("");
    scene.pass(100);
    Response validated = scene.get("");
    assertEquals("validated", CacheScene.outcome(validated));
    assertNull(validated.headers().first("Age"));
    scene.pass(7);
    assertEquals("7", scene.get("").headers().first("Age"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "; Range: bytes=0-5", "; If-Match: x", "; If-None-Match: x"})
  void gatewayTimeoutSendsNothing(String fields) throws Exception {
    CacheScene scene = new CacheScene();
    Response answer = scene.get("CC: only-if-cached" + fields);
    assertEquals(504, answer.status().code());
    assertEquals("", answer.string());
    assertFalse(answer.headers().contains("Age"));
    assertEquals(0, scene.received.size());
  }
}
