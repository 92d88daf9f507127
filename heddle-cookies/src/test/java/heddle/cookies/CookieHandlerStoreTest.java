package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CookieHandlerStoreTest {
  /** Records its calls. */
  private static final class NotingHandler extends CookieHandler {
    final List<URI> uris = new ArrayList<>();
    final List<Map<String, List<String>>> headers = new ArrayList<>();
    Map<String, List<String>> answer = Map.of();

    @Override
    public Map<String, List<String>> get(URI uri, Map<String, List<String>> requestHeaders) {
      uris.add(uri);
      headers.add(requestHeaders);
      return answer;
    }

    @Override
    public void put(URI uri, Map<String, List<String>> responseHeaders) {
      uris.add(uri);
      headers.add(responseHeaders);
    }
  }

  private final NotingHandler handler = new NotingHandler();
  private final CookieHandlerStore store = new CookieHandlerStore(handler);

  @Test
  void managerOfTheJdkKeepsCookies() throws Exception {
    CookieHandlerStore managed =
        new CookieHandlerStore(new CookieManager(null, CookiePolicy.ACCEPT_ALL));
    managed.save(Request.get("http://example.com/a/b"), List.of("a=1; Path=/", "b=2; Path=/a"));
    assertEquals("b=2; a=1", managed.load(Request.get("http://example.com/a/")));
    assertEquals("a=1", managed.load(Request.get("http://example.com/")));
    assertEquals("", managed.load(Request.get("http://example.org/")));
  }

  @Test
  void handlerSeesUriAndFieldsOfTheRequest() throws Exception {
    Request request = Request.builder("https://example.com:8443/p?q=%20#f")
        .header("X-A", "1")
        .header("Accept", "x")
        .header("x-a", "2")
        .build();
    store.load(request);
    assertEquals(URI.create("https://example.com:8443/p?q=%20"), handler.uris.getFirst());
    assertEquals(
        Map.of("X-A", List.of("1", "2"), "Accept", List.of("x")), handler.headers.getFirst());
    store.save(request, List.of("a=1", "b=2"));
    assertEquals(Map.of("Set-Cookie", List.of("a=1", "b=2")), handler.headers.getLast());
    store.load(Request.get("http://[::1]:81/"));
    assertEquals(URI.create("http://[::1]:81/"), handler.uris.getLast());
  }

  @Test
  void targetsThatNoUriMayHoldAreEscaped() throws Exception {
    Request odd =
        Request.builder(Origin.http("a", 80), Method.GET, "/x|y?{z}[]^`\"<>\\").build();
    store.load(odd);
    assertEquals("http://a/x%7Cy?%7Bz%7D%5B%5D%5E%60%22%3C%3E%5C", "" + handler.uris.getFirst());
    store.load(Request.builder(Origin.http("a", 80), Method.OPTIONS, "*").build());
    assertEquals("http://a/", "" + handler.uris.getLast());
  }

  @Test
  void allCookiesOfTheHandlerAreSentInOneField() throws Exception {
    handler.answer = Map.of("cookie", List.of("a=1", "b=2; c=3"), "Cookie2", List.of("$Version=1"));
    assertEquals("a=1; b=2; c=3", store.load(Request.get("http://a/")));
  }

  @Test
  void failureOfTheHandlerIsReported() {
    IOException failure = new IOException("locked");
    CookieHandlerStore failing = new CookieHandlerStore(new CookieHandler() {
      @Override
      public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers)
          throws IOException {
        throw failure;
      }

      @Override
      public void put(URI uri, Map<String, List<String>> headers) throws IOException {
        throw failure;
      }
    });
    assertSame(
        failure, assertThrows(IOException.class, () -> failing.load(Request.get("http://a/"))));
  }
}
