package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
  @ParameterizedTest
  @CsvSource({
    "http://Example.COM, http://example.com:80, /",
    "HTTPS://example.com/a?b=c#d, https://example.com:443, /a?b=c",
    "http://h:8080?q, http://h:8080, /?q",
    "http://h#f, http://h:80, /",
    "http://[2001:DB8::1]:81/x, http://[2001:db8::1]:81, /x",
    "http://127.0.0.1/%7e, http://127.0.0.1:80, /%7e",
    "http://h/a:b@c//d?e=[1]&f=?/, http://h:80, /a:b@c//d?e=[1]&f=?/"
  })
  void urlIsTakenApartWithoutFragment(String url, String origin, String target) throws Exception {
    Request request = Request.get(url);
    assertEquals(origin, request.origin().toString());
    assertEquals(target, request.target());
    assertEquals(
        target, Request.get(URI.create(url.replace("[1]", "1"))).target().replace("e=1", "e=[1]"));
  }

  @Test
  void requestsShareTheirOriginAndItsHost() throws Exception {
    Origin origin = Request.get("http://shared.test:8080/a").origin();
    assertSame(origin, Request.builder("http://SHARED.test:8080/b?c").build().origin());
  }

  /** Origins are remembered in 64 places. */
  @Test
  void noOriginIsTakenForAnother() throws Exception {
    for (int round = 0; round < 2; round++) {
      for (int port = 1; port < 200; port++) {
        for (String scheme : List.of("http", "https")) {
          String origin = scheme + "://many.test:" + port;
          assertEquals(origin, Request.get(origin + "/").origin().toString());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h",
        "//h/",
        "ftp://h/",
        "http:/h",
        "http://",
        "http:///a",
        "http://?q",
        "http://:80/",
        "http://h:/",
        "http://h:0/",
        "http://h:65536/",
        "http://h:99999999999/",
        "http://h:8a/",
        "http://h:+1/",
        "http://a b/",
        "http://h\r\nx/",
        "http://h/a b",
        "http://h/\u0000",
        "http://h/\ud83d",
        "http://h/a\r\nHost: x",
        "http://h/%",
        "http://h/%4",
        "http://h/%4g",
        "http://h/{a}",
        "http://h/a\\b",
        "http://h\\@x/",
        "http://\u00e4\u2100.de/",
        "http://\u00e4\uff0f.de/",
        "http://\u00e4\uff1a80/",
        "http://\uff11\uff12\uff17.1/",
        "http://\ud83d.de/",
        "http://h%41/",
        "http://[::1/",
        "http://::1/",
        "http://[::1]x/",
        "http://[1:2]/",
        "http://[::1%25eth0]/",
        "http://[1::2::3]/",
        "http://1.2.3/",
        "http://1.2.3.256/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://01.2.3.4/",
        "http\u017f://h/",
        "http://h:1:2/",
        " http://h/"
      })
  void malformedUrlIsRefused(String url) {
    MalformedUrlException refused =
        assertThrows(MalformedUrlException.class, () -> Request.get(url), url);
    assertTrue(refused.getMessage().startsWith("malformed URL: "), refused.getMessage());
  }

  @Test
  void refusalOfAUrlSaysWhereAndWhatToWrite() {
    MalformedUrlException refused =
        assertThrows(MalformedUrlException.class, () -> Request.get("http://h/a b"));
    assertEquals(
        """
        malformed URL: 0x20 at index 10 may not stand in a path: write it as %20
          http://h/a b
                    ^""",
        refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "http://h/p?token=secret|x, '  http://h/p?***|***', '                ^'",
    "http://h/a?x y, '  http://h/a?*** ***', '                ^'",
    "http:u:secret@h/, '  ***@h/', '     ^'",
    "http://u:secret/1@h/x, '  http://***@h/x', '            ^'",
    "http://h:x/, '  http://h:x/', '           ^'",
    "http://h/\u0007x, '  http://h/\\u0007x', '           ^'",
    "http://h/%, '  http://h/%', '           ^'"
  })
  void refusalOfAUrlPointsAtTheCharacterAndHidesSecrets(String url, String shown, String caret) {
    String message =
        assertThrows(MalformedUrlException.class, () -> Request.get(url)).getMessage();
    assertEquals(List.of(shown, caret), message.lines().skip(1).toList());
    assertFalse(message.contains("secret"), message);
  }

  @Test
  void refusalOfALongUrlShowsWhatIsAroundTheCharacter() {
    String url = "http://h/" + "a".repeat(500) + " " + "b".repeat(500);
    String message =
        assertThrows(MalformedUrlException.class, () -> Request.get(url)).getMessage();
    List<String> lines = message.lines().toList();
    assertEquals(3, lines.size());
    assertEquals("  ..." + "a".repeat(60) + " " + "b".repeat(39) + "...", lines.get(1));
    assertEquals(' ', lines.get(1).charAt(lines.get(2).indexOf('^')));
  }

  @ParameterizedTest
  @CsvSource({
    "http://h/\u00e4?\u20ac=\ud83d\ude00, h, /%C3%A4?%E2%82%AC=%F0%9F%98%80",
    "http://b\u00fccher.example/a%20b, xn--bcher-kva.example, /a%20b",
    "https://\u4f8b\u3048.\u30c6\u30b9\u30c8:8443/#\u00e4, xn--r8jz45g.xn--zckzah, /"
  })
  void internationalUrlsAreEncoded(String url, String host, String target) throws Exception {
    Request request = Request.get(url);
    assertEquals(host, request.origin().host());
    assertEquals(target, request.target());
    assertEquals(target, Request.get(URI.create(url)).target());
  }

  @Test
  void valuesOfPlaceholdersStayWithinTheirPlace() throws Exception {
    assertEquals(
        "/users/a%2F..%2Fb%3Fc%23d%25/posts?q=%C3%A4%26x%3D1&n=7",
        Request.builder("http://h/users/{id}/posts?q={q}&n={n}", "a/../b?c#d%", "\u00e4&x=1", 7)
            .build()
            .target());
  }

  @Test
  void placeholdersAndValuesMustMatch() {
    assertRefused("there is no value for {b}", "http://h/{a}/{b}", 1);
    assertRefused("values given: 2, but placeholders such as {id}: 1", "http://h/{a}", 1, 2);
    assertRefused("has no '}'", "http://h/{a", 1);
    assertRefused("'+' at index 10", "http://h/{+a}", 1);
    assertRefused("give a value for the placeholder", "http://h/{a}");
    assertEquals(
        "the value of {a}",
        assertThrows(
                NullPointerException.class,
                () -> Request.builder("http://h/{a}", new Object[] {null}))
            .getMessage());
  }

  @Test
  void valuesThatWouldAddressAnotherResourceAreRefused() throws Exception {
    for (String value : List.of("", ".", "..")) {
      assertRefused("is no segment of a path", "http://h/users/{id}/posts", value);
      assertRefused("is no segment of a path", "http://h/users/{id}", value);
      assertRefused("is no segment of a path", "http://h/users/{id}?a=b", value);
    }
    assertEquals(
        "/v..?a=&b=/../",
        Request.builder("http://h/v{x}?a={a}&b=/{b}/", "..", "", "..").build().target());
  }

  private static void assertRefused(String why, String template, Object... values) {
    String message = assertThrows(
            MalformedUrlException.class, () -> Request.builder(template, values))
        .getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void parametersAreAddedToTheQuery() throws Exception {
    assertEquals(
        "/?a%20b=c%26d&n=2&n=3",
        Request.builder("http://h")
            .query("a b", "c&d")
            .query("n", 2)
            .query("n", 3)
            .build()
            .target());
    assertEquals("/?x&y=1", Request.builder("http://h/?x").query("y", 1).build().target());
    assertEquals("/?y=1", Request.builder("http://h/?").query("y", 1).build().target());
  }

  @Test
  void userInformationIsRefusedWithoutEchoingThePassword() {
    for (String url :
        new String[] {"http://me:hunter2@h/", "http://hunter2@h", "https://a@hunter2:9@h/"}) {
      MalformedUrlException refused =
          assertThrows(MalformedUrlException.class, () -> Request.get(url));
      assertFalse(refused.getMessage().contains("hunter2"), refused.getMessage());
      assertTrue(refused.getMessage().contains("user information"), refused.getMessage());
    }
  }

  @Test
  void pathAndQueryAreSplitAtTheFirstQuestionMark() throws Exception {
    Request request = Request.get("http://h/a?b?c");
    assertEquals("/a", request.path());
    assertEquals("b?c", request.query());
    assertNull(Request.get("http://h/a").query());
    assertEquals("", Request.get("http://h/a?").query());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "*", "http://h/", "/a b", "/\r\nX: y", "/\u00e9", "/#f", "/%zz", "/%0"})
  void serverRefusesTargetThatIsNotOriginForm(String target) {
    Origin origin = Origin.http("h", 80);
    assertThrows(IllegalArgumentException.class, () -> Request.builder(origin, Method.GET, target));
    assertThrows(
        IllegalArgumentException.class,
        () -> Request.received(
            origin, Method.GET, target, Headers.empty(), Body.empty(), Trailers.none()));
  }

  @Test
  void asteriskIsForOptionsAndAuthorityForConnect() throws Exception {
    Origin origin = Origin.http("h", 80);
    assertEquals("*", Request.builder(origin, Method.OPTIONS, "*").build().target());
    Request connect = Request.builder("http://h:81").method(Method.CONNECT).build();
    assertEquals("h:81", connect.target());
    assertEquals("", connect.path());
    for (String bad : new String[] {"h", "h:", "h:0", "h:1\r\n", "h x:1", "/", "u@h:1"}) {
      assertThrows(
          IllegalArgumentException.class, () -> Request.builder(origin, Method.CONNECT, bad), bad);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> Request.builder(origin, Method.OPTIONS, "*").method(Method.GET).build());
  }

  @Test
  void toStringMasksCredentials() throws Exception {
    Request request = Request.builder("http://h/p?token=hunter2")
        .header("authorization", "hunter2")
        .header("Cookie", "hunter2")
        .header("Proxy-Authorization", "hunter2")
        .header("Accept", "a/b")
        .build();
    assertFalse(request.toString().contains("hunter2"), request.toString());
    assertTrue(request.toString().startsWith("GET http://h:80/p?*** {Authorization: ***"));
    assertTrue(request.toString().contains("Accept: a/b"));
  }

  @Test
  void bodysMediaTypeBecomesContentTypeUnlessGiven() throws Exception {
    Request post = Request.post("http://h/", Body.of("x"));
    assertEquals("text/plain; charset=utf-8", post.headers().first("content-type"));
    Request own = Request.builder("http://h/")
        .header("Content-Type", "a/b")
        .body(Body.of("x"))
        .build();
    assertEquals(1, own.headers().size());
    assertEquals(
        "a/b",
        Response.builder(Status.OK)
            .headers(own.headers())
            .body(own.body())
            .build()
            .headers()
            .first(HeaderName.CONTENT_TYPE));
  }

  @Test
  void rebuiltRequestKeepsEverything() throws Exception {
    Request request = Request.builder("http://h/p")
        .method(Method.PUT)
        .header("A", "1")
        .body(Body.of("x"))
        .trailers(Trailers.of(Headers.of("T", "2")))
        .deadline(Duration.ofSeconds(3))
        .build();
    Request again = request.toBuilder().build();
    assertEquals(request.toString(), again.toString());
    assertEquals(request.body(), again.body());
    assertEquals(request.deadline(), again.deadline());
    assertEquals("2", again.trailers().get().first("T"));
  }

  @Test
  void deadlineMustBeMoreThanZero() throws Exception {
    Request.Builder builder = Request.builder("http://h/");
    assertThrows(IllegalArgumentException.class, () -> builder.deadline(Duration.ZERO));
    assertThrows(IllegalStateException.class, () -> Request.builder().build());
  }

  @Test
  void hostHeaderNamesThePortOnlyWhenItIsNotTheDefault() {
    assertEquals("h", Origin.http("H", 80).hostHeader());
    assertEquals("h:443", Origin.http("h", 443).hostHeader());
    assertEquals("h", Origin.https("h", 443).hostHeader());
    assertEquals("[::1]:8080", Origin.http("::1", 8080).hostHeader());
    assertEquals(Origin.http("[::1]", 80), Origin.http("::1", 80));
    assertEquals(
        Origin.http("Example.com", 80).hashCode(),
        Origin.http("example.com", 80).hashCode());
    assertThrows(IllegalArgumentException.class, () -> Origin.http("a\r\nb", 80));
    assertThrows(IllegalArgumentException.class, () -> Origin.http("a", 0));
    assertThrows(IllegalArgumentException.class, () -> new Origin("ftp", "a", 1));
  }

  @Test
  void failureSaysWhereInTheCallItHappened() {
    FailurePoint at = new FailurePoint(
        Method.GET, Origin.http("x", 80), Phase.AWAIT_HEAD, Sent.YES, Duration.ofMillis(12));
    assertEquals(
        "closed: GET http://x:80 while AWAIT_HEAD after 12 ms, request sent: yes",
        new ConnectionLostException("closed", Progress.NOTHING, Side.UNKNOWN, at, null)
            .getMessage());
    assertEquals(
        "closed",
        new ConnectionLostException("closed", Progress.NOTHING, Side.UNKNOWN, null, null)
            .getMessage());
  }

  @Test
  void adviceIsPartOfTheMessageAndNotOfTheProblem() throws Exception {
    FailurePoint at = new FailurePoint(
        Method.GET, Origin.http("x", 80), Phase.AWAIT_HEAD, Sent.YES, Duration.ofMillis(12));
    HttpException failure =
        HttpException.advise(new HttpException("too late", at, null), "; wait longer");
    String message = "too late; wait longer: " + at;
    assertEquals("too late", failure.problem());
    assertEquals(message, failure.getMessage());

    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      HttpException read = (HttpException) in.readObject();
      assertEquals("too late", read.problem());
      assertEquals(message, read.getMessage());
    }
  }

  @Test
  void expectationIsAFieldOfRequestsThatHaveABody() throws Exception {
    Request waits =
        Request.builder("http://h/").body(Body.of("a")).expectContinue().build();
    assertEquals("100-continue", waits.headers().first("Expect"));
    assertTrue(waits.expectsContinue());
    assertTrue(waits.toBuilder().body(Body.of("b")).build().expectsContinue());

    // It waits for nothing, and does again once it has content.
    Request emptied = waits.toBuilder().body(Body.empty()).build();
    assertFalse(emptied.expectsContinue());
    Request filled = emptied.toBuilder().body(Body.of("b")).build();
    assertTrue(filled.expectsContinue());

    Request other =
        Request.builder("http://h/").body(Body.of("a")).header("Expect", "else").build();
    assertFalse(other.expectsContinue());
  }

  @Test
  void builderSharesFieldsUntilOneIsAdded() throws Exception {
    Headers fields = Headers.of("A", "1");
    Request request = Request.get("http://h/").toBuilder().headers(fields).build();
    assertSame(fields, request.headers());
    assertSame(fields, request.toBuilder().build().headers());
    Request more = request.toBuilder().header("B", "2").build();
    assertEquals(Headers.of("A", "1", "B", "2"), more.headers());
    assertEquals(Headers.of("A", "1"), request.headers());
    assertSame(fields, more.toBuilder().headers(fields).build().headers());
  }

  @Test
  void builderKeepsWhoIsToldOfInformationalResponses() throws Exception {
    InformationalListener listener = (status, headers) -> {};
    Request request = Request.builder("http://h/").onInformational(listener).build();
    assertEquals(listener, request.toBuilder().build().informational());
    assertNull(Request.get("http://h/").informational());
  }

  @Test
  void knownTrailersAreKnownBeforeTheEnd() {
    Headers fields = Headers.of("Sum", "1");
    assertEquals(fields, Trailers.of(fields).known());
    assertNull(Trailers.of(() -> fields).known());
    assertEquals(Headers.empty(), Trailers.none().known());
  }
}
