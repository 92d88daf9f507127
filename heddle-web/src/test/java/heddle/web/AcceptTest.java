package heddle.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.http.Headers;
import heddle.http.MediaType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Negotiation by Accept, RFC 9110 section 12.5.1. */
final class AcceptTest {
  private static final MediaType JSON = MediaType.APPLICATION_JSON;
  private static final MediaType HTML = MediaType.TEXT_HTML_UTF8;
  private static final MediaType PLAIN = MediaType.TEXT_PLAIN_UTF8;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/* | application/json",
        "application/* | application/json",
        "text/* | text/html; charset=utf-8",
        "text/plain | text/plain; charset=utf-8",
        "TEXT/PLAIN | text/plain; charset=utf-8",
        "text/plain, text/html;q=0.9 | text/plain; charset=utf-8",
        "text/html;q=0.1, text/plain;q=0.2 | text/plain; charset=utf-8",
        "application/json;q=0.5, text/html ; q=0.501 | text/html; charset=utf-8",
        "text/html,application/xhtml+xml,*/*;q=0.8 | text/html; charset=utf-8",
        "*/*, application/json;q=0 | text/html; charset=utf-8",
        "text/*;q=0.3, text/html;q=0.7, text/html;charset=utf-8;q=0.2, text/plain;q=0.1"
            + " | text/html; charset=utf-8",
        "text/html;charset=UTF-8 | text/html; charset=utf-8",
        "text/html;charset=\"utf-8\" | text/html; charset=utf-8",
        "text/html;level=1, text/plain | text/plain; charset=utf-8",
        "text/plain;q=1.000 | text/plain; charset=utf-8",
        "text/plain;q=0.5;ext;more=1 | text/plain; charset=utf-8",
        ", , text/plain,, | text/plain; charset=utf-8",
        "text/plain; | text/plain; charset=utf-8",
        "image/png | none",
        "application/json;q=0, text/*;q=0 | none",
        "*/*;q=0.000 | none"
      })
  void theClientsPreferenceDecides(String accept, String expected) {
    MediaType best = Accept.of(Headers.of("Accept", accept)).best(JSON, HTML, PLAIN);
    assertEquals(expected, best == null ? "none" : best.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text",
        "text/",
        "/html",
        "text/html;q",
        "text/html;q=2",
        "text/html;q=0.1234",
        "text/html;q=-1",
        "text/html;q=0x",
        "text/html;q=1.001",
        "*/html",
        "text/html text/plain",
        "text/html;a=\"",
        "''"
      })
  void aMalformedFieldAcceptsAll(String accept) {
    assertSame(JSON, Accept.of(Headers.of("Accept", accept)).best(JSON, HTML));
  }

  @Test
  void severalFieldsAreOneList() {
    Headers headers = Headers.of("Accept", "text/html;q=0.2", "Accept", "text/plain");
    assertSame(PLAIN, Accept.of(headers).best(JSON, HTML, PLAIN));
    assertSame(HTML, Accept.of(Headers.empty()).best(HTML, JSON));
  }

  @Test
  void theRangeThatIsMoreExactCounts() {
    MediaType one = MediaType.parse("text/html;level=1");
    MediaType two = MediaType.parse("text/html;level=2");
    Headers headers = Headers.of("Accept", "text/html;level=1;q=0.1, text/html;q=0.5");
    assertSame(two, Accept.of(headers).best(one, two));
  }
}
