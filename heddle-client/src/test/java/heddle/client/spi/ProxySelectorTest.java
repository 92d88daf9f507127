package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Origin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the system's settings and the JDK's selectors mean. */
class ProxySelectorTest {
  private static final Origin HTTP = Origin.http("a.test", 80);
  private static final Origin HTTPS = Origin.https("a.test", 443);
  private static final Map<String, String> NOTHING = Map.of();

  private static List<Proxy> proxies(
      Map<String, String> properties, Map<String, String> environment, Origin origin) {
    return SystemProxies.of(properties::get, environment).select(origin);
  }

  @Test
  void nothingSetMeansNoProxy() {
    assertEquals(List.of(), proxies(NOTHING, NOTHING, HTTP));
    assertEquals(List.of(), proxies(NOTHING, Map.of("http_proxy", " "), HTTP));
  }

  @Test
  void propertiesAreForTheirScheme() {
    Map<String, String> properties =
        Map.of("http.proxyHost", "p", "http.proxyPort", "3128", "https.proxyHost", "q");
    assertEquals(List.of(Proxy.http("p", 3128)), proxies(properties, NOTHING, HTTP));
    assertEquals(List.of(Proxy.http("q", 443)), proxies(properties, NOTHING, HTTPS));
  }

  @Test
  void socksPropertyIsForWhatHasNoOther() {
    Map<String, String> properties = Map.of("https.proxyHost", "q", "socksProxyHost", "s");
    assertEquals(List.of(Proxy.socks5("s", 1080)), proxies(properties, NOTHING, HTTP));
    assertEquals(List.of(Proxy.http("q", 443)), proxies(properties, NOTHING, HTTPS));
  }

  @Test
  void loopbackNeedsNoProxyUnlessThePropertySaysSo() {
    Map<String, String> properties = Map.of("http.proxyHost", "p");
    for (String host : List.of("localhost", "127.1.2.3", "::1")) {
      assertEquals(List.of(), proxies(properties, NOTHING, Origin.http(host, 80)));
    }
    Map<String, String> all = Map.of("http.proxyHost", "p", "http.nonProxyHosts", "");
    assertEquals(List.of(Proxy.http("p", 80)), proxies(all, NOTHING, Origin.http("localhost", 80)));
    Map<String, String> other = Map.of("http.proxyHost", "p", "http.nonProxyHosts", "*.test");
    assertEquals(List.of(), proxies(other, NOTHING, HTTP));
  }

  @Test
  void variablesAreForTheirScheme() {
    Map<String, String> environment =
        Map.of("http_proxy", "http://p:1", "HTTPS_PROXY", "https://q", "ALL_PROXY", "socks5://s");
    assertEquals(List.of(Proxy.http("p", 1)), proxies(NOTHING, environment, HTTP));
    assertEquals(List.of(Proxy.https("q", 443)), proxies(NOTHING, environment, HTTPS));
    Map<String, String> all = Map.of("ALL_PROXY", "socks5h://s:9");
    assertEquals(List.of(Proxy.socks5("s", 9)), proxies(NOTHING, all, HTTP));
    assertEquals(List.of(Proxy.socks5("s", 9)), proxies(NOTHING, all, HTTPS));
  }

  @Test
  void smallLettersGoFirst() {
    Map<String, String> environment = Map.of(
        "https_proxy", "p:1", "HTTPS_PROXY", "q:1", "no_proxy", "b.test", "NO_PROXY", "a.test");
    assertEquals(List.of(Proxy.http("p", 1)), proxies(NOTHING, environment, HTTPS));
  }

  /** CVE-2016-5385: a CGI script's client sets it with a field called Proxy. */
  @Test
  void httpProxyInCapitalsIsNeverRead() {
    Map<String, String> plain = Map.of("HTTP_PROXY", "http://evil:1");
    assertEquals(List.of(), proxies(NOTHING, plain, HTTP));
    Map<String, String> cgi = Map.of("HTTP_PROXY", "http://evil:1", "REQUEST_METHOD", "GET");
    assertEquals(List.of(), proxies(NOTHING, cgi, HTTP));
    assertEquals(List.of(), proxies(NOTHING, cgi, HTTPS));
  }

  @Test
  void noProxyIsForTheVariables() {
    Map<String, String> environment = Map.of("http_proxy", "p:1", "NO_PROXY", "a.test");
    assertEquals(List.of(), proxies(NOTHING, environment, HTTP));
    assertEquals(
        List.of(Proxy.http("q", 80)), proxies(Map.of("http.proxyHost", "q"), environment, HTTP));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://p:x",
        "http://p:0",
        "http://p:65536",
        "http://p:1/path",
        "ftp://p",
        "http://",
        "http://u:secret@",
        "http://[::1",
        "::1",
        "http://u%4:secret@p",
        "socks5://u:@p",
        "socks4://u:secret@p",
        "secret://x@p",
        "u:secret://x@p",
        "p p",
        "http://u:secret%0a@p"
      })
  void malformedVariableIsNamedAndItsCredentialsAreNot(String value) {
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class,
        () -> SystemProxies.of(NOTHING::get, Map.of("HTTPS_PROXY", value)));
    String message = failure.getMessage();
    assertTrue(message.startsWith("the environment variable HTTPS_PROXY: "), message);
    assertFalse(message.contains("u:secret") || message.contains("secret@"), message);
  }

  @Test
  void malformedPropertyIsNamed() {
    for (Map<String, String> properties : List.of(
        Map.of("http.proxyHost", "p", "http.proxyPort", "x"),
        Map.of("http.proxyHost", "p", "http.proxyPort", "0"),
        Map.of("http.proxyHost", "p/q"))) {
      String message = assertThrows(
              IllegalArgumentException.class, () -> SystemProxies.of(properties::get, NOTHING))
          .getMessage();
      assertTrue(message.startsWith("the system property http.proxyHost"), message);
    }
  }

  @Test
  void fixedProxyIsForAllButSome() {
    ProxySelector selector = ProxySelector.fixed(Proxy.http("p", 1), NoProxy.parse(".a.test"));
    assertEquals(List.of(), selector.select(HTTP));
    assertEquals(List.of(Proxy.http("p", 1)), selector.select(Origin.http("b.test", 80)));
  }

  /** A selector that answers the same for each, and says what it was asked. */
  private static final class Answering extends java.net.ProxySelector {
    private final List<java.net.Proxy> answer;
    private URI asked;

    Answering(java.net.Proxy... answer) {
      this.answer = List.of(answer);
    }

    @Override
    public List<java.net.Proxy> select(URI uri) {
      asked = uri;
      return answer;
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      throw new AssertionError("nobody tells");
    }
  }

  @Test
  void selectorOfTheJdkIsAskedForTheOrigin() {
    Answering selector = new Answering(
        new java.net.Proxy(java.net.Proxy.Type.HTTP, InetSocketAddress.createUnresolved("p", 3128)),
        new java.net.Proxy(
            java.net.Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("s", 1080)),
        java.net.Proxy.NO_PROXY);
    assertEquals(
        List.of(Proxy.http("p", 3128), Proxy.socks5("s", 1080), Proxy.DIRECT),
        ProxySelector.of(selector).select(HTTPS));
    assertEquals(URI.create("https://a.test:443/"), selector.asked);
  }

  @Test
  void proxyWithoutHostAndPortIsRefused() {
    SocketAddress real = InetSocketAddress.createUnresolved("p", 1);
    java.net.Proxy strange = new java.net.Proxy(java.net.Proxy.Type.HTTP, real) {
      @Override
      public SocketAddress address() {
        return UnixDomainSocketAddress.of("elsewhere");
      }
    };
    String message = assertThrows(
            IllegalArgumentException.class,
            () -> ProxySelector.of(new Answering(strange)).select(HTTP))
        .getMessage();
    assertTrue(message.contains("elsewhere"), message);
  }
}
