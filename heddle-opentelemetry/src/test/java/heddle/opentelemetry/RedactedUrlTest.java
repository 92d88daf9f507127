package heddle.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import org.junit.jupiter.api.Test;

class RedactedUrlTest {
  private final RedactedUrl urls = new RedactedUrl(RedactedUrl.DEFAULT_KEYS);

  private void assertTold(String expected, String url) throws Exception {
    assertEquals(expected, urls.of(Request.get(url)));
  }

  @Test
  void signaturesInTheQueryAreRedacted() throws Exception {
    assertTold(
        "https://a.test/x?AWSAccessKeyId=REDACTED&Signature=REDACTED&Expires=7",
        "https://a.test/x?AWSAccessKeyId=AKIA&Signature=a%2Fb=&Expires=7");
    assertTold(
        "https://a.test/x?X-Goog-Signature=REDACTED&sig=REDACTED",
        "https://a.test/x?X-Goog-Signature=1&sig=2");
  }

  @Test
  void restOfTheUrlStaysAsItIs() throws Exception {
    assertTold("http://a.test:81/x%20y?a&b=&=c&&sigh=1", "http://a.test:81/x%20y?a&b=&=c&&sigh=1");
    assertTold("http://[::1]/", "http://[::1]:80/");
    assertTold("https://a.test/?", "https://a.test/?");
  }

  @Test
  void targetsThatAreNotAPathAreOmitted() {
    Origin origin = Origin.http("a.test", 80);
    assertEquals(
        "http://a.test", urls.of(Request.builder(origin, Method.OPTIONS, "*").build()));
    assertEquals(
        "http://a.test",
        urls.of(Request.builder(origin, Method.CONNECT, "b.test:443").build()));
  }

  /** So there is nothing of that kind to redact. */
  @Test
  void credentialsBeforeTheHostAreRefused() {
    assertThrows(MalformedUrlException.class, () -> Request.get("http://user:secret@a.test/"));
  }
}
