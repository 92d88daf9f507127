package heddle.server.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7,     192.0.2.7,       true",
    "192.0.2.7,     192.0.2.6,       false",
    "10.0.0.0/8,    10.255.0.1,      true",
    "10.0.0.0/8,    11.0.0.0,        false",
    "10.0.0.0/8,    9.255.255.255,   false",
    "172.16.0.0/12, 172.31.255.255,  true",
    "172.16.0.0/12, 172.32.0.0,      false",
    "192.0.2.6/31,  192.0.2.7,       true",
    "192.0.2.6/31,  192.0.2.8,       false",
    "192.0.2.6/32,  192.0.2.7,       false",
    "0.0.0.0/0,     203.0.113.1,     true",
    "0.0.0.0/0,     ::1,             false",
    "::/0,          ::1,             true",
    "::/0,          10.0.0.1,        false",
    "2001:db8::/33, 2001:db8:7fff::, true",
    "2001:db8::/33, 2001:db8:8000::, false",
    "::1,           ::1,             true",
    "10.0.0.1,      ::ffff:10.0.0.1, true"
  })
  void rangeContainsTheAddressesWithItsPrefix(String range, String address, boolean expected) {
    SocketAddress peer = new InetSocketAddress(address, 1234);
    assertEquals(expected, TrustedProxies.of("203.0.113.99", range).contains(peer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy.test",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/08x",
        "10.0.0/8",
        "10.0.0.1/8",
        "192.0.2.7/31",
        "2001:db8::/129",
        "2001:db8::1/64",
        "[::1]",
        "fe80::1%1",
        "10.0.0.0/8/8",
        "unix"
      })
  void whatIsNoRangeIsNamed(String text) {
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> TrustedProxies.of("10.0.0.1", text));
    assertTrue(failure.getMessage().startsWith(text), failure.getMessage());
  }

  @Test
  void atLeastOneIsNeeded() {
    assertThrows(IllegalArgumentException.class, TrustedProxies::of);
  }

  @Test
  void peersOfUnixSocketsAreTrustedByName() {
    SocketAddress peer = UnixDomainSocketAddress.of("");
    assertTrue(TrustedProxies.of(TrustedProxies.UNIX).contains(peer));
    assertFalse(TrustedProxies.of("0.0.0.0/0").contains(peer));
    assertFalse(TrustedProxies.of("0.0.0.0/0")
        .contains(InetSocketAddress.createUnresolved("proxy.test", 1)));
  }
}
