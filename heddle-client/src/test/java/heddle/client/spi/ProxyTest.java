package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Proxy.Credentials;
import heddle.http.Headers;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy as a value. */
class ProxyTest {
  @Test
  void urlSaysAllOfIt() {
    assertEquals(Proxy.http("p", 3128), Proxy.parse("http://p:3128"));
    assertEquals(Proxy.http("p", 3128), Proxy.parse(" P:3128/ "));
    assertEquals(Proxy.http("p", 80), Proxy.parse("p"));
    assertEquals(Proxy.https("p", 443), Proxy.parse("HTTPS://p"));
    assertEquals(Proxy.socks5("::1", 1080), Proxy.parse("socks5://[::1]"));
    assertEquals(Proxy.http("::1", 81), Proxy.parse("http://[::1]:81"));
    assertEquals(
        Proxy.http("p", 80).withCredentials("me", "a:b@c%"), Proxy.parse("http://me:a%3Ab@c%25@p"));
    assertEquals(Proxy.http("p", 80).withCredentials("me", ""), Proxy.parse("http://me@p"));
  }

  @Test
  void textNeverShowsCredentials() {
    Proxy proxy = Proxy.https("p", 443).withCredentials("somebody", "secret");
    assertEquals("https://p:443", proxy.toString());
    assertEquals(new Credentials("somebody", "secret"), proxy.credentials());
    assertFalse(proxy.credentials().toString().matches(".*(somebody|secret).*"));
    assertEquals("socks5://[::1]:1080", Proxy.socks5("[::1]", 1080).toString());
    assertEquals("DIRECT", Proxy.DIRECT.toString());
  }

  @Test
  void whoIsAnotherToTheProxyIsAnother() {
    Proxy proxy = Proxy.http("p", 80);
    assertEquals(proxy, Proxy.http("P", 80));
    assertEquals(proxy.hashCode(), Proxy.http("P", 80).hashCode());
    assertNotEquals(proxy, Proxy.https("p", 80));
    assertNotEquals(proxy, proxy.withCredentials("me", "pw"));
    assertNotEquals(proxy.withCredentials("me", "pw"), proxy.withCredentials("me", "other"));
    assertNotEquals(proxy, proxy.preemptively());
  }

  @Test
  void whatIsSpecialToTunnelsMakesAnotherProxyAndStays() {
    Proxy proxy = Proxy.http("p", 80);
    Proxy named = proxy.withTunnelFields(Headers.of("User-Agent", "x"));
    assertNotEquals(proxy, named);
    assertEquals(named, proxy.withTunnelFields(Headers.of("user-agent", "x")));
    assertNotEquals(proxy, proxy.passingCredentials());
    Proxy all = named.passingCredentials().withCredentials("me", "pw").preemptively();
    assertEquals("x", all.tunnelFields().first("User-Agent"));
    assertTrue(all.passesCredentials());
    assertEquals(all, all.withTunnelFields(all.tunnelFields()));
    assertTrue(proxy.tunnelFields().isEmpty());
    assertFalse(named.passesCredentials());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host", "content-length", "Transfer-Encoding", "Proxy-Authorization"})
  void fieldsThatOthersDecideAreNotTakenForTunnels(String name) {
    Proxy proxy = Proxy.https("p", 443);
    Headers fields = Headers.of(name, "1");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> proxy.withTunnelFields(fields));
    assertTrue(
        refused.getMessage().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT)));
  }

  @Test
  void onlyProxiesOfHttpHaveTunnelsWithFields() {
    Proxy socks = Proxy.socks5("p", 80);
    assertThrows(IllegalStateException.class, () -> socks.withTunnelFields(Headers.empty()));
    assertThrows(IllegalStateException.class, Proxy.DIRECT::passingCredentials);
  }

  @Test
  void credentialsThatCannotBeSentAreRefused() {
    Proxy http = Proxy.http("p", 80);
    assertThrows(IllegalArgumentException.class, () -> http.withCredentials("a:b", "pw"));
    assertThrows(IllegalArgumentException.class, () -> http.withCredentials("a", "p\r\nx: y"));
    Proxy socks = Proxy.socks5("p", 80);
    assertThrows(IllegalArgumentException.class, () -> socks.withCredentials("me", ""));
    assertThrows(
        IllegalArgumentException.class, () -> socks.withCredentials("me", "x".repeat(256)));
    assertThrows(IllegalStateException.class, () -> Proxy.DIRECT.withCredentials("me", "pw"));
  }
}
