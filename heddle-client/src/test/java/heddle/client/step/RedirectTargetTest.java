package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RedirectPolicy;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each redirect makes of each request (RFC 9110 section 15.4). */
class RedirectTargetTest {
  private static final String HERE = "http://example.com/dir/page?q=1";

  private static Response redirect(int status, String... locations) {
    Response.Builder response = Response.builder(Status.of(status));
    for (String location : locations) {
      response.header("Location", location);
    }
    return response.build();
  }

  private static @Nullable Request next(Request request, Response response) {
    return Redirects.next(request, response, RedirectPolicy.standard());
  }

  private static Request followed(Request request, Response response) {
    Request next = next(request, response);
    assertNotNull(next);
    return next;
  }

  private static String url(Request request) {
    return request.origin() + request.target();
  }

  @ParameterizedTest
  @CsvSource({
    "301, GET, GET", "301, HEAD, HEAD", "301, POST, GET", "301, PUT, PUT", "301, DELETE, DELETE",
    "302, GET, GET", "302, HEAD, HEAD", "302, POST, GET", "302, PATCH, PATCH", "302, FOO, FOO",
    "303, GET, GET", "303, HEAD, HEAD", "303, POST, GET", "303, PUT, GET", "303, FOO, GET",
    "307, GET, GET", "307, HEAD, HEAD", "307, POST, POST", "307, PUT, PUT", "307, FOO, FOO",
    "308, GET, GET", "308, HEAD, HEAD", "308, POST, POST", "308, DELETE, DELETE", "308, FOO, FOO",
  })
  void methodsAfterARedirect(int status, String before, String after) throws IOException {
    Request request = Request.builder(HERE).method(Method.of(before)).build();
    assertEquals(Method.of(after), followed(request, redirect(status, "/next")).method());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 300, 304, 305, 306, 309, 399, 400, 503})
  void otherStatusesAreHandedOverWhateverLocationTheyHave(int status) throws IOException {
    assertNull(next(Request.get(HERE), redirect(status, "/next")));
  }

  @Test
  void contentIsKeptWithTheMethodAndLostWithIt() throws IOException {
    Body body = Body.of("text");
    Request post = Request.builder(HERE)
        .method(Method.POST)
        .header("Content-Language", "de")
        .header("content-digest", "x")
        .header("Digest", "x")
        .header("Expect", "100-continue")
        .header("Trailer", "T")
        .header("Accept", "text/plain")
        .body(body)
        .trailers(Trailers.of(Headers.of("T", "x")))
        .build();
    Request kept = followed(post, redirect(307, "/next"));
    assertSame(body, kept.body());
    assertEquals(post.headers(), kept.headers());
    assertSame(post.trailers(), kept.trailers());
    for (int status : new int[] {301, 302, 303}) {
      Request lost = followed(post, redirect(status, "/next"));
      assertEquals(0, lost.body().length());
      assertEquals(Headers.of("Accept", "text/plain"), lost.headers());
      assertSame(Trailers.none(), lost.trailers());
    }
  }

  @Test
  void aGetLosesItsContentAfter303Alone() throws IOException {
    Request get = Request.builder(HERE).body(Body.of("text")).build();
    assertEquals(0, followed(get, redirect(303, "/next")).body().length());
    assertEquals(4, followed(get, redirect(302, "/next")).body().length());
  }

  @Test
  void contentThatCannotBeProducedAgainIsNotSentAgain() throws IOException {
    Request once = Request.put(HERE, Body.of(new ByteArrayInputStream(new byte[1])));
    assertNull(next(once, redirect(307, "/next")));
    assertNull(next(once, redirect(301, "/next")));
    Request post = once.toBuilder().method(Method.POST).build();
    assertNull(next(post, redirect(308, "/next")));
    // It is not needed any more.
    assertEquals(Method.GET, followed(post, redirect(302, "/next")).method());
    assertEquals(Method.GET, followed(once, redirect(303, "/next")).method());
  }

  @ParameterizedTest
  @CsvSource({
    "other, http://example.com:80/dir/other",
    "/other#part, http://example.com:80/other",
    "../up, http://example.com:80/up",
    "?p=2, http://example.com:80/dir/page?p=2",
    "//b.test:81/x, http://b.test:81/x",
    "HTTPS://B.Test, https://b.test:443/",
    "http://[::1]:8080/x?y#z, http://[::1]:8080/x?y",
    "#part, http://example.com:80/dir/page?q=1",
    "/caf\u00c3\u00a9, http://example.com:80/caf%C3%A9",
  })
  void locationsAreRelativeToWhatWasAskedFor(String location, String url) throws IOException {
    assertEquals(url, url(followed(Request.get(HERE), redirect(302, location))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ftp://example.com/x",
        "javascript:alert(1)",
        "mailto:a@b.test",
        "http:next",
        "http://",
        "///next",
        "http://user:secret@b.test/",
        "http://b.test:0/",
        "http://b.test:port/",
        "http://b test/",
        "/with space",
        "/half%2",
        "\\\\b.test\\x",
        "http://2130706433/",
      })
  void whatIsNoUrlOrOfAnotherSchemeIsHandedOver(String location) throws IOException {
    assertNull(next(Request.get(HERE), redirect(302, location)));
  }

  @Test
  void noLocationOrSeveralThatDifferAreHandedOver() throws IOException {
    Request get = Request.get(HERE);
    assertNull(next(get, redirect(302)));
    assertNull(next(get, redirect(302, "/a", "/b")));
    assertEquals("http://example.com:80/a", url(followed(get, redirect(302, "/a", "/a"))));
  }

  @Test
  void cleartextIsNotFollowedAfterHttpsUnlessAskedFor() throws IOException {
    Request secure = Request.get("https://example.com/");
    Response toCleartext = redirect(302, "http://example.com/");
    assertNull(next(secure, toCleartext));
    RedirectPolicy asked = RedirectPolicy.builder().toCleartext().build();
    assertNotNull(Redirects.next(secure, toCleartext, asked));
    assertNotNull(next(secure, redirect(302, "https://b.test/")));
    assertNotNull(next(Request.get(HERE), redirect(302, "https://example.com/")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://b.test/",
        "https://example.com/",
        "http://example.com:8080/",
        "//www.example.com/"
      })
  void anotherOriginGetsNoCredentials(String elsewhere) throws IOException {
    Request request = Request.builder(HERE)
        .header("authorization", "Basic c2VjcmV0")
        .header("Cookie", "id=1")
        .header("Proxy-Authorization", "Basic c2VjcmV0")
        .header("Host", "example.com")
        .header("x-api-KEY", "secret")
        .header("Accept", "text/plain")
        .build();
    RedirectPolicy policy =
        RedirectPolicy.builder().sensitive(HeaderName.of("X-Api-Key")).build();
    Request there = Redirects.next(request, redirect(307, elsewhere), policy);
    assertNotNull(there);
    assertEquals(Headers.of("Accept", "text/plain"), there.headers());
    // And none once it comes back.
    Request back = Redirects.next(
        there, redirect(307, HERE), RedirectPolicy.builder().toCleartext().build());
    assertNotNull(back);
    assertEquals(Headers.of("Accept", "text/plain"), back.headers());
    Request same = Redirects.next(request, redirect(307, "http://EXAMPLE.com:80/x"), policy);
    assertNotNull(same);
    assertEquals(request.headers(), same.headers());
  }

  @Test
  void redirectAddsNoRefererAndKeepsDeadlineAndVersion() throws IOException {
    Request request =
        Request.builder(HERE).noDeadline().version(HttpVersion.HTTP_2).build();
    Request next = followed(request, redirect(302, "http://b.test/"));
    assertFalse(next.headers().contains(HeaderName.REFERER));
    assertEquals(request.deadline(), next.deadline());
    assertEquals(HttpVersion.HTTP_2, next.version());
    assertTrue(next.headers().isEmpty());
  }

  @Test
  void connectIsNotRedirectedAndAnAsteriskIsAskedOfTheRoot() throws IOException {
    Request connect =
        Request.builder(HERE).method(Method.CONNECT).url("http://a.test/").build();
    assertNull(next(connect, redirect(307, "http://b.test/")));
    Request options =
        Request.builder(Request.get(HERE).origin(), Method.OPTIONS, "*").build();
    assertEquals("http://example.com:80/next", url(followed(options, redirect(307, "next"))));
  }

  @Test
  void aConditionOfTheUsersDecidesLast() throws IOException {
    RedirectPolicy sameHost = RedirectPolicy.builder()
        .onlyIf((redirected, next) ->
            redirected.origin().host().equals(next.origin().host()))
        .build();
    Request get = Request.get(HERE);
    assertNull(Redirects.next(get, redirect(302, "http://b.test/"), sameHost));
    assertNotNull(Redirects.next(get, redirect(302, "https://example.com/"), sameHost));
  }
}
