package heddle.client.settings;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses count as public, on both sides of each border. */
class AddressPolicyTest {
  private static boolean isPublic(String literal) throws UnknownHostException {
    return AddressPolicy.publicOnly().allows("a.test", InetAddress.getByName(literal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0.0.0",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2000::1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2001:db7:ffff::1",
        "2001:db9::1",
        "2002:808:808::1",
        "2003::1",
        "2a00::1",
        "3ffe::1",
        "3fff:1000::1",
        "64:ff9b::8.8.8.8"
      })
  void publicAddressesAreAllowed(String literal) throws Exception {
    assertTrue(isPublic(literal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.255",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::8.8.8.8",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::808:808",
        "100::1",
        "1fff::1",
        "2001::1",
        "2001:1ff::1",
        "2001:db8::1",
        "2002:a00:1::1",
        "2002:7f00:1::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "fc00::1",
        "fd00::1",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void allOthersAreNot(String literal) throws Exception {
    assertFalse(isPublic(literal));
  }
}
