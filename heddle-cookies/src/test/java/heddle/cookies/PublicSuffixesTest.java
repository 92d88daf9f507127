package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicSuffixesTest {
  private final PublicSuffixes list = PublicSuffixes.bundled();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com",
        "com.",
        "co.uk",
        "github.io",
        "kobe.jp",
        "x.kobe.jp",
        "ck",
        "x.ck",
        "localhost",
        "unlisted",
        "xn--p1ai",
        "xn--55qx5d.cn",
        "s3.amazonaws.com"
      })
  void anybodyMayRegisterBelowThese(String domain) {
    assertTrue(list.isPublicSuffix(domain));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.com",
        "example.com.",
        "example.co.uk",
        "ann.github.io",
        "www.ck",
        "city.kobe.jp",
        "x.y.kobe.jp",
        "example.unlisted",
        "www.xn--p1ai",
        "127.0.0.1"
      })
  void theseAreNotPublicSuffixes(String domain) {
    assertFalse(list.isPublicSuffix(domain));
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "a.b.example.com, example.com",
    "a.b.example.com., example.com",
    "a.example.co.uk, example.co.uk",
    "b.ann.github.io, ann.github.io",
    "github.io, github.io",
    "com, com",
    "localhost, localhost",
    "a.localhost, a.localhost",
    "b.www.ck, www.ck",
    "a.b.c.ck, b.c.ck",
    "a.city.kobe.jp, city.kobe.jp",
    "127.0.0.1, 127.0.0.1",
    "[::1], [::1]"
  })
  void siteIsTheDomainRightBelow(String host, String site) {
    assertEquals(site, list.site(host));
  }

  @Test
  void customListsMayHaveCommentsUnicodeAndSpaces() throws Exception {
    PublicSuffixes own = PublicSuffixes.parse(
        new StringReader("// comment\n\n  top \t rest of the line\n*.wild\n!not.wild\nfür.top\n"));
    assertTrue(own.isPublicSuffix("xn--fr-xka.top"));
    assertTrue(own.isPublicSuffix("a.wild"));
    assertFalse(own.isPublicSuffix("not.wild"));
    assertFalse(own.isPublicSuffix("co.uk"));
  }

  @Test
  void listWithoutRulesIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> PublicSuffixes.parse(new StringReader("// none\n")));
  }
}
