package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 5.1. */
class MatchingTest {
  @Test
  void hostMatchesItselfAndTheDomainsAboveIt() {
    assertTrue(Matching.domainMatches("a.b.c", "a.b.c"));
    assertTrue(Matching.domainMatches("a.b.c", "b.c"));
    assertTrue(Matching.domainMatches("a.b.c", "c"));
    assertFalse(Matching.domainMatches("b.c", "a.b.c"));
    assertFalse(Matching.domainMatches("ab.c", "b.c"));
    assertFalse(Matching.domainMatches("b.c", "x.c"));
    assertFalse(Matching.domainMatches("b.c.", "b.c"));
  }

  @Test
  void addressesMatchThemselvesAlone() {
    assertTrue(Matching.domainMatches("127.0.0.1", "127.0.0.1"));
    assertFalse(Matching.domainMatches("127.0.0.1", "0.0.1"));
    assertFalse(Matching.domainMatches("127.0.0.1", "1"));
    assertTrue(Matching.domainMatches("[::1]", "[::1]"));
    assertTrue(Matching.isAddress("10.0.0.1"));
    assertTrue(Matching.isAddress("[2001:db8::1]"));
    assertFalse(Matching.isAddress("a1.example.com"));
    assertFalse(Matching.isAddress("localhost"));
    assertFalse(Matching.isAddress("1a.2b"));
    assertFalse(Matching.isAddress("example.com."));
  }

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/a, /",
    "/a/, /a",
    "/a/b, /a",
    "/a/b/, /a/b",
    "//, /",
    "/a;x/b, /a;x",
    "/%2F/b, /%2F"
  })
  void defaultPathGoesUpToTheLastSlash(String requestPath, String expected) {
    assertEquals(expected, Matching.defaultPath(requestPath));
  }

  @Test
  void pathMatchesItselfAndWhatLiesBelow() {
    assertTrue(Matching.pathMatches("/a", "/a"));
    assertTrue(Matching.pathMatches("/a/b", "/a"));
    assertTrue(Matching.pathMatches("/a/b", "/a/"));
    assertTrue(Matching.pathMatches("/a", "/"));
    assertFalse(Matching.pathMatches("/ab", "/a"));
    assertFalse(Matching.pathMatches("/a", "/a/"));
    assertFalse(Matching.pathMatches("/A", "/a"));
    assertFalse(Matching.pathMatches("/", "/a"));
  }

  @Test
  void hostAndPathOfRequests() throws Exception {
    assertEquals("example.com", Matching.host(Request.get("http://EXAMPLE.com:81/")));
    assertEquals("[::1]", Matching.host(Request.get("http://[::1]:81/")));
    assertEquals("/a/b", Matching.path(Request.get("http://a/a/b?c/d")));
    assertEquals("/", Matching.path(Request.get("http://a?c")));
    assertEquals(
        "/", Matching.path(Request.builder("http://a/").method(Method.CONNECT).build()));
  }
}
