package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.same;
import static heddle.adapters.apache5.comparison.Comparison.with;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Apache does between a caller and a connection (redirects, authentication, cookies) has the
 * same results over its own connections and over Heddle's.
 */
@Timeout(60)
class ChainComparisonTest {
  private static String ok(String... fields) {
    return answer("200 OK", "ok", fields);
  }

  private static String answer(String status, String content, String... fields) {
    return "HTTP/1.1 " + status + "\r\nContent-Length: " + content.length() + "\r\n"
        + (fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n") + "\r\n" + content;
  }

  private static RawServer.Answers pages(Map<String, String> pages) {
    return request -> pages.getOrDefault(request.path(), ok());
  }

  private static HttpEntity once(String content) {
    return new InputStreamEntity(
        new ByteArrayInputStream(content.getBytes(StandardCharsets.US_ASCII)), null);
  }

  private static HttpPost post(String url, HttpEntity entity) {
    HttpPost post = new HttpPost(url);
    post.setEntity(entity);
    return post;
  }

  // ---- redirects

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303, 304, 305, 307, 308})
  void redirectsOfAnyKind(int status) throws Exception {
    RawServer.Answers answers = pages(Map.of(
        "/a",
        status == 304
            ? "HTTP/1.1 304 No\r\nLocation: /b\r\n\r\n"
            : answer(status + " Go", "moved", "Location: /b?c#d")));
    same(
        "HTTP/1.1",
        answers,
        visitor -> List.of(
            visitor.send(new HttpGet(visitor.url("/a"))),
            visitor.send(post(visitor.url("/a"), new StringEntity("again"))),
            visitor.send(post(visitor.url("/a"), once("only once")))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/b", "b", "../b", "//localhost:1/b", "?b", "/b c", "", "/%zz", "ftp:///b"})
  void redirectsToAnywhere(String location) throws Exception {
    same(
        "",
        pages(Map.of("/a/a", answer("302 Found", "moved", "Location: " + location))),
        visitor -> visitor.send(new HttpGet(visitor.url("/a/a"))));
  }

  @Test
  void aRedirectToNowhere() throws Exception {
    same(
        "302",
        pages(Map.of("/a", answer("302 Found", "moved"))),
        visitor -> visitor.send(new HttpGet(visitor.url("/a"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Mine", "Authorization", "Cookie", "Host"})
  void aRedirectToAnotherHost(String field) throws Exception {
    same(
        "HTTP/1.1",
        pages(Map.of("/a", answer("302 Found", "", "Location: http://127.0.0.1:PORT/b"))),
        visitor -> {
          HttpGet get = new HttpGet(visitor.url("/a"));
          get.setHeader(field, "mine");
          return visitor.send(get);
        });
  }

  @Test
  void circlesAndTooMany() throws Exception {
    RawServer.Answers circle = request ->
        answer("302 Found", "", "Location: " + (request.path().equals("/a") ? "/b" : "/a"));
    same(
        "CircularRedirectException",
        circle,
        visitor -> visitor.send(new HttpGet(visitor.url("/a"))));
    RawServer.Answers onwards =
        request -> answer("302 Found", "", "Location: " + "/a" + request.number());
    same("RedirectException", onwards, visitor -> {
      HttpGet get = new HttpGet(visitor.url("/a"));
      get.setConfig(RequestConfig.custom().setMaxRedirects(4).build());
      return visitor.send(get);
    });
    same(
        "302",
        with(builder -> builder.disableRedirectHandling()),
        onwards,
        visitor -> visitor.send(new HttpGet(visitor.url("/a"))));
  }

  // ---- authentication

  private static final String BASIC = "WWW-Authenticate: Basic realm=\"r\"";
  private static final String DIGEST =
      "WWW-Authenticate: Digest realm=\"r\", nonce=\"abc\", qop=\"auth\", algorithm=MD5";

  private static RawServer.Answers asking(String challenge) {
    return request -> request.value("Authorization") == null
        ? answer("401 Who", "who?", challenge)
        : ok("Authentication-Info: nextnonce=\"def\"");
  }

  private static String send(
      Comparison.Visitor visitor, String password, ClassicHttpRequest... requests)
      throws Exception {
    BasicCredentialsProvider provider = new BasicCredentialsProvider();
    provider.setCredentials(
        new AuthScope(null, -1), new UsernamePasswordCredentials("user", password.toCharArray()));
    HttpClientContext context = HttpClientContext.create();
    context.setCredentialsProvider(provider);
    StringBuilder told = new StringBuilder();
    for (ClassicHttpRequest request : requests) {
      try {
        told.append(
            visitor.client().execute(visitor.host(), request, context, Comparison::described));
      } catch (java.io.IOException e) {
        told.append(Comparison.thrown(e));
      }
      told.append('\n');
    }
    return told.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {BASIC, DIGEST, "WWW-Authenticate: Other realm=\"r\"", BASIC + "\r\n" + DIGEST})
  void whoIsAskedAnswers(String challenge) throws Exception {
    same(
        "HTTP/1.1",
        asking(challenge),
        visitor -> send(
            visitor,
            "secret",
            new HttpGet("/1"),
            post("/2", new StringEntity("again")),
            post("/3", once("only once"))));
  }

  @Test
  void whoIsAskedOnceMoreGivesUp() throws Exception {
    same(
        "401",
        request -> answer("401 Who", "who?", BASIC),
        visitor -> send(visitor, "wrong", new HttpGet("/1"), post("/2", once("only once"))));
  }

  @Test
  void whoIsAskedByAServerThatClosesComesBack() throws Exception {
    same(
        "content ok",
        request -> request.value("Authorization") == null
            ? answer("401 Who", "who?", BASIC, "Connection: close") + RawServer.CLOSE
            : ok(),
        visitor -> send(visitor, "secret", new HttpGet("/1"), post("/2", new StringEntity("x"))));
  }

  @Test
  void whoExpectsContinueAndIsAskedSendsContentOnce() throws Exception {
    same(
        "content ok",
        request -> request.value("Authorization") == null
            ? answer("401 Who", "who?", BASIC, "Connection: close") + RawServer.CLOSE
            : ok(),
        visitor -> {
          HttpPost post = post("/1", once("only once"));
          post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
          return send(visitor, "secret", post);
        });
  }

  @Test
  void credentialsMayBeShownUnasked() throws Exception {
    same("content ok", asking(BASIC), visitor -> {
      BasicScheme scheme = new BasicScheme();
      scheme.initPreemptive(new UsernamePasswordCredentials("user", "secret".toCharArray()));
      HttpClientContext context = HttpClientContext.create();
      context.resetAuthExchange(visitor.host(), scheme);
      return visitor
          .client()
          .execute(visitor.host(), new HttpGet("/1"), context, Comparison::described);
    });
  }

  // ---- cookies

  @ParameterizedTest
  @CsvSource({
    "a=b",
    "a=b; Path=/x",
    "a=b; Path=/",
    "a=b; Max-Age=0",
    "a=b; Secure",
    "a=b; Domain=localhost",
    "a=b; Domain=other.test",
    "a=\"b c\"; HttpOnly",
    "=b",
    "a",
    "a=b; Expires=nonsense"
  })
  void cookiesAreKeptAndShown(String cookie) throws Exception {
    same(
        "content ok",
        with(builder -> builder.setDefaultCookieStore(new BasicCookieStore())),
        request -> request.number() == 1 ? ok("Set-Cookie: " + cookie, "Set-Cookie: c=d") : ok(),
        visitor -> List.of(
            visitor.send(new HttpGet(visitor.url("/x/y"))),
            visitor.send(new HttpGet(visitor.url("/x/z"))),
            visitor.send(new HttpGet(visitor.url("/"))),
            visitor.send(new HttpGet("http://127.0.0.1:" + visitor.host().getPort() + "/"))));
  }

  @Test
  void cookiesOfARedirectAreShownAtItsEnd() throws Exception {
    same(
        "content ok",
        pages(Map.of("/a", answer("302 Found", "", "Location: /b", "Set-Cookie: a=b"))),
        visitor -> visitor.send(new HttpGet(visitor.url("/a"))));
  }
}
