package heddle.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hosts the names of a certificate are for (RFC 9525 §6). */
class ServerIdentityTest {
  private static final int EMAIL = 1;
  private static final int DNS = 2;
  private static final int URL = 6;
  private static final int IP = 7;

  private static boolean covers(int kind, String presented, String host) {
    return ServerIdentity.covers(List.of(List.of(kind, presented)), host);
  }

  @ParameterizedTest
  @CsvSource({
    "a.test,            a.test,             true",
    "A.Test,            a.test,             true",
    "a.test,            A.TEST,             true",
    "a.test,            a.test.,            true",
    "a.test.,           a.test,             false",
    "a.test.,           a.test.,            false",
    "a.test,            b.test,             false",
    "a.test,            www.a.test,         false",
    "www.a.test,        a.test,             false",
    "test,              a.test,             false",
    "localhost,         localhost,          true",
    "xa.test,           a.test,             false",
    // a wildcard is the whole left-most label, and one label
    "*.a.test,          b.a.test,           true",
    "*.A.test,          B.a.TEST.,          true",
    "*.a.test,          a.test,             false",
    "*.a.test,          c.b.a.test,         false",
    "*.a.test,          b.xa.test,          false",
    "*.a.test,          .a.test,            false",
    "*.a.test,          *.a.test,           false",
    "b*.a.test,         bc.a.test,          false",
    "*b.a.test,         cb.a.test,          false",
    "*.*.test,          b.a.test,           false",
    "b.*.test,          b.a.test,           false",
    "*,                 localhost,          false",
    "*,                 a.test,             false",
    "*.,                a.,                 false",
    "*.test,            a.test,             false",
    "*.com.,            a.com,              false",
    // international names are compared in their ASCII form
    "xn--bcher-kva.test, xn--bcher-kva.test, true",
    "XN--BCHER-KVA.test, xn--bcher-kva.test, true",
    "xn--bcher-kva.test, xn--bcher-kva8.test, false",
    "*.a.test,          xn--bcher-kva.a.test, true",
    "xn--*.a.test,      xn--bcher-kva.a.test, false",
    // what is no name of a certificate
    "a_b.a.test,        a_b.a.test,         false",
    "*.a.test,          a_b.a.test,         false"
  })
  void nameIsForAHost(String presented, String host, boolean expected) {
    assertEquals(expected, covers(DNS, presented, host));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,         127.0.0.1,          true",
    "127.0.0.1,         127.0.0.2,          false",
    "0:0:0:0:0:0:0:1,   ::1,                true",
    "2001:db8:0:0:0:0:0:A, 2001:db8::a,     true",
    "2001:db8:0:0:0:0:0:a, 2001:db8::b,     false",
    "127.0.0.1,         a.test,             false",
    "0:0:0:0:0:0:0:1,   127.0.0.1,          false",
    "rubbish,           127.0.0.1,          false"
  })
  void addressIsForAnAddress(String presented, String host, boolean expected) {
    assertEquals(expected, covers(IP, presented, host));
  }

  /** RFC 9525 §6.3 and §6.4: each kind of name is compared with its own only. */
  @Test
  void kindsAreKeptApart() {
    assertFalse(covers(DNS, "127.0.0.1", "127.0.0.1"));
    assertFalse(covers(DNS, "::1", "::1"));
    assertFalse(covers(DNS, "*.0.0.1", "127.0.0.1"));
    assertFalse(covers(EMAIL, "a.test", "a.test"));
    assertFalse(covers(URL, "a.test", "a.test"));
    assertFalse(ServerIdentity.covers(List.of(List.of(DNS, new byte[] {'a'})), "a"));
  }

  @Test
  void anyOfTheNamesWillDo() {
    List<List<?>> names = List.of(List.of(DNS, "a.test"), List.of(IP, "::1"), List.of(DNS, "c.d"));
    assertEquals(true, ServerIdentity.covers(names, "c.d"));
    assertEquals(true, ServerIdentity.covers(names, "::1"));
    assertFalse(ServerIdentity.covers(names, "b.test"));
    assertFalse(ServerIdentity.covers(List.of(), "a.test"));
  }

  /** The Kelvin sign becomes a k when it is made small, and a dotted capital I begins with an i. */
  @Test
  void lettersBeyondAsciiAreNoOthers() {
    assertFalse(covers(DNS, "\u212A.test", "k.test"));
    assertFalse(covers(DNS, "b\u00FCcher.test", "xn--bcher-kva.test"));
  }
}
