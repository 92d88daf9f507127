package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What logs and recordings do not show. */
class RedactionTest {
  private static String shown(Redaction redaction, String url) throws Exception {
    return redaction.url(Request.get(url));
  }

  @Test
  void signaturesInTheQueryAreMasked() throws Exception {
    assertEquals(
        "https://a.test/x?AWSAccessKeyId=***&Signature=***&Expires=7",
        shown(
            Redaction.DEFAULTS, "https://a.test/x?AWSAccessKeyId=AKIA&Signature=a%2Fb=&Expires=7"));
    assertEquals(
        "https://a.test/x?X-Goog-Signature=REDACTED&sig=REDACTED",
        shown(
            Redaction.DEFAULTS.withMask("REDACTED"), "https://a.test/x?X-Goog-Signature=1&sig=2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.test:81/x%20y?a&b=&=c&&sigh=1",
        "http://[::1]/",
        "https://a.test/?",
        "https://a.test/?&sig",
        "https://a.test/x?SIG=1"
      })
  void restOfTheUrlStaysAsItIs(String url) throws Exception {
    assertEquals(url, shown(Redaction.DEFAULTS, url));
  }

  @Test
  void targetsThatAreNotAPathAreOmitted() {
    Origin origin = Origin.http("a.test", 80);
    Request options = Request.builder(origin, Method.OPTIONS, "*").build();
    Request connect = Request.builder(origin, Method.CONNECT, "b.test:443").build();
    assertEquals("http://a.test", Redaction.DEFAULTS.url(options));
    assertEquals("http://a.test", Redaction.DEFAULTS.url(connect));
  }

  /** So there is nothing of that kind to mask. */
  @Test
  void credentialsBeforeTheHostAreRefused() {
    assertThrows(MalformedUrlException.class, () -> Request.get("http://user:secret@a.test/"));
  }

  @ParameterizedTest
  @CsvSource({
    "authorization, Basic c2VjcmV0, ***",
    "Cookie, a=secret, ***",
    "X-Api-Key, secret, ***",
    "X-Other, //user:secret@h/, //***@h/",
    "Location, https://h/cb?code=secret&state=1, https://h/cb?code=***&state=1",
    "Location, /cb#code=secret&x=1, /cb#code=***&x=1",
    "Location, /cb?code=secret#code=secret, /cb?code=***#code=***",
    "Referer, https://u:secret@h/?code=secret, https://***@h/?code=***",
    "X-Other, ?code=shown, ?code=shown"
  })
  void fieldsAreMasked(String name, String value, String shown) {
    Redaction redaction = Redaction.DEFAULTS.withFields("x-api-key").withParameters("code");
    assertEquals(shown, redaction.value(HeaderName.of(name), value));
    assertEquals(value, Redaction.none().value(HeaderName.of(name), value));
  }

  @Test
  void whatIsAddedLeavesTheRestMasked() {
    Redaction redaction = Redaction.DEFAULTS.withParameters("a").withParameters("b");
    assertEquals("a=***&b=***&c=1&sig=***", redaction.parameters("a=1&b=1&c=1&sig=1"));
    assertEquals("&a=***&&", redaction.parameters("&a=1&&"));
    assertTrue(redaction.masks(HeaderName.SET_COOKIE));
    assertFalse(Redaction.none().masks(HeaderName.SET_COOKIE));
    assertTrue(Redaction.none().withFields("Set-Cookie").masks(HeaderName.SET_COOKIE));
  }
}
