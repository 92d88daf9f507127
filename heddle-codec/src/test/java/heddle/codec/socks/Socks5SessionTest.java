package heddle.codec.socks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.socks.Socks5Session.Credentials;
import heddle.codec.socks.SocksException.Reason;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's side of SOCKS 5, octet by octet. */
class Socks5SessionTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Credentials USER = new Credentials("me", "pw");
  private static final String OPEN = "05000001" + "7f000001" + "1f90";

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HEX.parseHex(hex));
  }

  private static String hex(ByteBuffer buffer) {
    assertNotNull(buffer);
    byte[] octets = new byte[buffer.remaining()];
    buffer.get(octets);
    return HEX.formatHex(octets);
  }

  private static Socks5Session toName() {
    return Socks5Session.toName("a.test", 443, null);
  }

  private static SocksException failure(Socks5Session session, String input) {
    return assertThrows(SocksException.class, () -> session.next(bytes(input)));
  }

  @Test
  void nameIsLeftToTheProxy() throws SocksException {
    Socks5Session session = toName();
    assertEquals("050100", hex(session.greeting()));
    assertEquals("0501000306" + "612e74657374" + "01bb", hex(session.next(bytes("0500"))));
    assertFalse(session.isOpen());
    assertNull(session.next(bytes(OPEN)));
    assertTrue(session.isOpen());
  }

  @Test
  void addressesAreSentAsSuch() throws SocksException {
    Socks5Session four = Socks5Session.toAddress(new byte[] {10, 0, 0, 1}, 80, null);
    assertEquals("05010001" + "0a000001" + "0050", hex(four.next(bytes("0500"))));
    byte[] address = new byte[16];
    address[15] = 1;
    Socks5Session six = Socks5Session.toAddress(address, 80, null);
    assertEquals("05010004" + "00".repeat(15) + "01" + "0050", hex(six.next(bytes("0500"))));
    assertThrows(
        IllegalArgumentException.class, () -> Socks5Session.toAddress(new byte[5], 80, null));
  }

  @Test
  void passwordIsSentWhenTheProxyChoosesIt() throws SocksException {
    Socks5Session session = Socks5Session.toName("a.test", 443, USER);
    assertEquals("05020002", hex(session.greeting()));
    assertEquals("01" + "026d65" + "027077", hex(session.next(bytes("0502"))));
    assertEquals("0501000306" + "612e74657374" + "01bb", hex(session.next(bytes("0100"))));
    assertNull(session.next(bytes(OPEN)));
    assertTrue(session.isOpen());
  }

  @Test
  void passwordIsNotShownToAProxyThatDoesNotWantIt() throws SocksException {
    Socks5Session session = Socks5Session.toName("a.test", 443, USER);
    assertTrue(hex(session.next(bytes("0500"))).startsWith("050100"));
  }

  /** Whole, and cut at each octet: what came before the cut changes nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        OPEN,
        "05000004" + "00112233445566778899aabbccddeeff" + "0001",
        "0500000309" + "6c6f63616c686f7374" + "0001",
        "0500000300" + "0001"
      })
  void replyMayComeInPieces(String reply) throws SocksException {
    int length = reply.length() / 2;
    for (int cut = 0; cut <= length; cut++) {
      Socks5Session session = Socks5Session.toName("a.test", 443, USER);
      assertNull(session.next(bytes("05")));
      assertNotNull(session.next(bytes("02")));
      assertNull(session.next(bytes("01")));
      assertNotNull(session.next(bytes("00")));
      assertNull(session.next(bytes(reply.substring(0, 2 * cut))));
      assertEquals(cut == length, session.isOpen());
      ByteBuffer rest = bytes(reply.substring(2 * cut) + "16");
      assertNull(session.next(rest));
      assertTrue(session.isOpen());
      assertEquals(1, rest.remaining(), "what follows the reply is the origin's");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "01, general SOCKS server failure",
    "02, rules do not allow",
    "03, cannot reach the destination's network",
    "04, cannot reach the destination's host",
    "05, the destination refused",
    "06, time to live",
    "07, does not know the command",
    "08, type of address",
    "77, reply 0x77"
  })
  void refusalSaysWhyAsSoonAsItsCodeIsThere(String code, String says) throws SocksException {
    Socks5Session session = toName();
    session.next(bytes("0500"));
    SocksException refusal = failure(session, "05" + code);
    assertEquals(Reason.REFUSED, refusal.reason());
    assertTrue(refusal.getMessage().contains(says), refusal.getMessage());
    assertThrows(IllegalStateException.class, () -> session.next(bytes(OPEN)));
  }

  @Test
  void proxyThatWantsWhatThereIsNot() throws SocksException {
    SocksException none = failure(toName(), "05ff");
    assertEquals(Reason.AUTHENTICATION, none.reason());
    assertTrue(none.getMessage().contains("no credentials"), none.getMessage());
    SocksException neither = failure(Socks5Session.toName("a.test", 443, USER), "05ff");
    assertEquals(Reason.AUTHENTICATION, neither.reason());
    Socks5Session session = Socks5Session.toName("a.test", 443, USER);
    session.next(bytes("0502"));
    SocksException refused = failure(session, "0101");
    assertEquals(Reason.AUTHENTICATION, refused.reason());
    assertFalse(refused.getMessage().contains("pw"));
  }

  @ParameterizedTest
  @CsvSource({
    // What HTTP servers and SOCKS 4 proxies say, and methods that nobody offered.
    "485454502f312e31, begins with 0x48",
    "005a, begins with 0x00",
    "0502, method 0x02",
    "0501, method 0x01",
    "050005, 1 bytes before it was asked"
  })
  void strangeChoiceIsRefused(String input, String says) {
    SocksException failure = failure(toName(), input);
    assertEquals(Reason.MALFORMED, failure.reason());
    assertTrue(failure.getMessage().contains(says), failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "04000001, begins with 0x04",
    "05000101, octet 3",
    "05000002, type 0x02",
  })
  void strangeReplyIsRefused(String input, String says) throws SocksException {
    Socks5Session session = toName();
    session.next(bytes("0500"));
    SocksException failure = failure(session, input);
    assertEquals(Reason.MALFORMED, failure.reason());
    assertTrue(failure.getMessage().contains(says), failure.getMessage());
  }

  @Test
  void strangeAnswerToThePasswordIsRefused() throws SocksException {
    Socks5Session session = Socks5Session.toName("a.test", 443, USER);
    session.next(bytes("0502"));
    assertEquals(Reason.MALFORMED, failure(session, "0500").reason());
  }

  @Test
  void whatDoesNotFitIntoAnOctetIsRefused() {
    String long256 = "x".repeat(256);
    assertThrows(IllegalArgumentException.class, () -> Socks5Session.toName(long256, 443, null));
    assertThrows(IllegalArgumentException.class, () -> Socks5Session.toName("", 443, null));
    assertThrows(IllegalArgumentException.class, () -> Socks5Session.toName("\u00e4", 443, null));
    assertThrows(IllegalArgumentException.class, () -> new Credentials(long256, "pw"));
    assertThrows(IllegalArgumentException.class, () -> new Credentials("me", ""));
    assertFalse(USER.toString().contains("pw"));
  }
}
