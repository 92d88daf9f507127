package heddle.server.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of the PROXY protocol, fed whole and one byte at a time. */
class ProxyHeaderParserTest {
  static final String SIGNATURE = "0D0A0D0A000D0A515549540A";

  private static final String BEHIND = "GET / HTTP/1.1\r\n";

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /** Reads the header, and checks that what comes behind it is left. */
  private static ProxyHeader read(byte[] header) throws ProtocolException {
    ByteBuffer whole = ByteBuffer.allocate(header.length + BEHIND.length());
    whole.put(header).put(BEHIND.getBytes(ISO_8859_1)).flip();
    ProxyHeader read = new ProxyHeaderParser().read(whole);
    assertEquals(BEHIND.length(), whole.remaining());
    ProxyHeaderParser slow = new ProxyHeaderParser();
    for (int i = 0; i < header.length - 1; i++) {
      assertNull(slow.read(ByteBuffer.wrap(header, i, 1)), "at " + i);
    }
    assertEquals(read, slow.read(ByteBuffer.wrap(header, header.length - 1, 1)));
    assertNotNull(read);
    return read;
  }

  private static void assertRefused(byte[] header) {
    assertThrows(
        ProtocolException.class, () -> new ProxyHeaderParser().read(ByteBuffer.wrap(header)));
    assertThrows(ProtocolException.class, () -> {
      ProxyHeaderParser slow = new ProxyHeaderParser();
      for (int i = 0; i < header.length; i++) {
        assertNull(slow.read(ByteBuffer.wrap(header, i, 1)));
      }
    });
  }

  private static void assertNames(String source, String destination, ProxyHeader header) {
    assertEquals(source, String.valueOf(header.source()));
    assertEquals(destination, String.valueOf(header.destination()));
  }

  @ParameterizedTest
  @CsvSource({
    "TCP4 192.0.2.1 198.51.100.2 56324 443, /192.0.2.1:56324, /198.51.100.2:443",
    "TCP4 0.0.0.0 255.255.255.255 0 65535, /0.0.0.0:0, /255.255.255.255:65535",
    "TCP6 2001:db8::1 ::1 1 2, '/[2001:db8:0:0:0:0:0:1]:1', '/[0:0:0:0:0:0:0:1]:2'",
    "TCP6 ::ffff:192.0.2.1 ::1 1 2, /192.0.2.1:1, '/[0:0:0:0:0:0:0:1]:2'",
    "UNKNOWN, null, null",
    "UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535, null, null"
  })
  void textNamesBothAddresses(String text, String source, String destination) throws Exception {
    byte[] header = ("PROXY " + text + "\r\n").getBytes(ISO_8859_1);
    assertNames(source, destination, read(header));
  }

  @Test
  void textMayHave107Bytes() throws Exception {
    String longest = "PROXY UNKNOWN " + "f".repeat(91) + "\r\n";
    assertEquals(107, longest.length());
    assertEquals(ProxyHeader.UNKNOWN, read(longest.getBytes(ISO_8859_1)));
    assertRefused(("PROXY UNKNOWN " + "f".repeat(92) + "\r\n").getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY\r\n",
        "PROXY \r\n",
        "PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY TCP4\r\n",
        "PROXY TCP5 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY UNKNOWNS\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n",
        "PROXY TCP4 192.0.2.1  192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n",
        "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2 192.0.2.2 1 2\r\n",
        "PROXY TCP4 host.test 192.0.2.2 1 2\r\n",
        "PROXY TCP4 ::1 ::2 1 2\r\n",
        "PROXY TCP6 192.0.2.1 ::2 1 2\r\n",
        "PROXY TCP6 fe80::1%1 ::2 1 2\r\n",
        "PROXY TCP6 [::1] ::2 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 65536 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\rx",
        "\r\n\r\nGET / HTTP/1.1\r\n",
        "\u0016\u0003\u0001"
      })
  void anythingElseIsRefused(String text) {
    assertRefused(text.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({
    // IPv4, with and without values behind the addresses
    "21 11 000C C0000201 C6336402 DC04 01BB, /192.0.2.1:56324, /198.51.100.2:443",
    "21 11 0013 C0000201 C6336402 DC04 01BB 04 0004 00000000, /192.0.2.1:56324, /198.51.100.2:443",
    // IPv6
    "21 21 0024 20010db8000000000000000000000001 00000000000000000000000000000001 0001 0002, "
        + "'/[2001:db8:0:0:0:0:0:1]:1', '/[0:0:0:0:0:0:0:1]:2'",
    // local, whatever the family and the addresses are
    "20 00 0000, null, null",
    "20 11 000C C0000201 C6336402 DC04 01BB, null, null",
    "20 FF 0002 0000, null, null",
    // unspecified, UDP
    "21 00 0000, null, null",
    "21 00 0003 010203, null, null",
    "21 12 000C C0000201 C6336402 DC04 01BB, null, null"
  })
  void binaryNamesBothAddresses(String hex, String source, String destination) throws Exception {
    assertNames(source, destination, read(bytes(SIGNATURE + hex)));
  }

  @Test
  void addressesOfUnixSocketsAreSkipped() throws Exception {
    byte[] header = bytes(SIGNATURE + "21 31 00D8" + "41".repeat(216));
    assertEquals(ProxyHeader.UNKNOWN, read(header));
  }

  @Test
  void binaryMayHaveValuesUpToTheBound() throws Exception {
    assertEquals(ProxyHeader.UNKNOWN, read(bytes(SIGNATURE + "21 00 1000" + "00".repeat(4096))));
    assertRefused(bytes(SIGNATURE + "21 00 1001"));
    assertRefused(bytes(SIGNATURE + "20 00 FFFF"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "11 11 000C C0000201 C6336402 DC04 01BB", // version 1
        "22 11 000C C0000201 C6336402 DC04 01BB", // an unknown command
        "21 13 000C C0000201 C6336402 DC04 01BB", // an unknown transport
        "21 41 000C C0000201 C6336402 DC04 01BB", // an unknown family
        "21 01 0000",
        "21 11 000B C0000201 C6336402 DC04 01", // too short for the addresses
        "21 21 000C C0000201 C6336402 DC04 01BB",
        "21 31 0000"
      })
  void malformedBinaryIsRefused(String hex) {
    assertRefused(bytes(SIGNATURE + hex));
  }

  @Test
  void anotherSignatureIsRefusedAtItsFirstWrongByte() throws Exception {
    byte[] signature = bytes(SIGNATURE);
    for (int wrong = 0; wrong < signature.length; wrong++) {
      byte[] bytes = signature.clone();
      bytes[wrong] ^= 1;
      ProxyHeaderParser parser = new ProxyHeaderParser();
      assertNull(parser.read(ByteBuffer.wrap(bytes, 0, wrong)));
      ByteBuffer last = ByteBuffer.wrap(bytes, wrong, 1);
      assertThrows(ProtocolException.class, () -> parser.read(last));
    }
  }
}
