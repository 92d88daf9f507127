package heddle.http.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** References, by the examples of RFC 3986 section 5.4 and where their rules end. */
@Timeout(60)
class ReferenceTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        // §5.4.1
        "g:h, g:h",
        "g, http://a/b/c/g",
        "./g, http://a/b/c/g",
        "g/, http://a/b/c/g/",
        "/g, http://a/g",
        "//g, http://g",
        "?y, http://a/b/c/d;p?y",
        "g?y, http://a/b/c/g?y",
        "#s, http://a/b/c/d;p?q",
        "g#s, http://a/b/c/g",
        "g?y#s, http://a/b/c/g?y",
        ";x, http://a/b/c/;x",
        "g;x, http://a/b/c/g;x",
        "g;x?y#s, http://a/b/c/g;x?y",
        "``, http://a/b/c/d;p?q",
        "., http://a/b/c/",
        "./, http://a/b/c/",
        ".., http://a/b/",
        "../, http://a/b/",
        "../g, http://a/b/g",
        "../.., http://a/",
        "../../, http://a/",
        "../../g, http://a/g",
        // §5.4.2
        "../../../g, http://a/g",
        "../../../../g, http://a/g",
        "/./g, http://a/g",
        "/../g, http://a/g",
        "g., http://a/b/c/g.",
        ".g, http://a/b/c/.g",
        "g.., http://a/b/c/g..",
        "..g, http://a/b/c/..g",
        "./../g, http://a/b/g",
        "./g/., http://a/b/c/g/",
        "g/./h, http://a/b/c/g/h",
        "g/../h, http://a/b/c/h",
        "g;x=1/./y, http://a/b/c/g;x=1/y",
        "g;x=1/../y, http://a/b/c/y",
        "g?y/./x, http://a/b/c/g?y/./x",
        "g?y/../x, http://a/b/c/g?y/../x",
        "g#s/../x, http://a/b/c/g",
        "http:g, http:g",
        // with an authority of their own
        "https://o/x/../y?z=../w#f, https://o/y?z=../w",
        "HTTP://o, HTTP://o",
        "//o:8/./x?, http://o:8/x?",
        // a colon that ends no scheme
        "./a:b, http://a/b/c/a:b",
        "1a:b, http://a/b/c/1a:b",
        ":b, http://a/b/c/:b",
        "/a:b, http://a/a:b",
        // empty segments stay
        "/x//y/.., http://a/x//",
        "//, http://",
      })
  void referencesAreResolvedByTheRules(String reference, String url) {
    assertEquals(url, Reference.resolve("http", "a", "/b/c/d;p?q", reference));
  }

  @Test
  void baseThatIsNoPathCountsAsASlash() {
    assertEquals("https://a:1/g", Reference.resolve("https", "a:1", "*", "g"));
    assertEquals("https://a:1/", Reference.resolve("https", "a:1", "*", ""));
  }

  @Test
  void longReferencesCostNoMoreThanTheirLength() {
    String up = "x/../".repeat(200_000);
    assertEquals("http://a/g", Reference.resolve("http", "a", "/", up + "g"));
  }
}
