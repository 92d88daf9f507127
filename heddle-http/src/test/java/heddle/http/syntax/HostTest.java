package heddle.http.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "::1, 0:0:0:0:0:0:0:1",
    "2001:DB8::7, 2001:db8:0:0:0:0:0:7",
    "1:2:3:4:5:6:192.0.2.1, 1:2:3:4:5:6:c000:201",
    "::ffff:192.0.2.1, 192.0.2.1"
  })
  void addressesAreRead(String text, String expected) {
    assertEquals(expected, assertNotNullAddress(text).getHostAddress());
  }

  /** Resolvers read some of these as addresses; others would be looked up. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "1",
        "127.1",
        "127.0.0.256",
        "127.0.0.01",
        "127.0.0.1.",
        "0x7f.0.0.1",
        "a",
        "a.b",
        ":",
        ":::",
        "1:2",
        "1:2:3:4:5:6:7:8:9",
        "g::",
        "[::1]",
        "fe80::1%nosuchinterface",
        "%1"
      })
  void whatIsNoAddressIsNotLookedUp(String text) {
    assertNull(Host.address(text));
  }

  @Test
  void aZoneMayFollow() {
    assertEquals("fe80:0:0:0:0:0:0:1%7", assertNotNullAddress("fe80::1%7").getHostAddress());
  }

  private static InetAddress assertNotNullAddress(String text) {
    InetAddress address = Host.address(text);
    assertNotNull(address);
    return address;
  }
}
