package heddle.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of Authorization, and what they never say. */
class CredentialsTest {
  @Test
  void basicIsThatOfItsSpecification() {
    // RFC 7617 §2 and §2.1.
    assertEquals(
        "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        Credentials.basic("Aladdin", "open sesame", ISO_8859_1).fieldValue());
    assertEquals(
        "Basic dGVzdDoxMjPCow==", Credentials.basic("test", "123\u00a3", UTF_8).fieldValue());
  }

  @Test
  void whatLooksTheSameIsTheSameInUtf8() {
    assertEquals(Credentials.basic("u", "\u00e9", UTF_8), Credentials.basic("u", "e\u0301", UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:b", "a\nb", "a\u0085b"})
  void basicRefusesWhatItCannotSayAndDoesNotTellIt(String user) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Credentials.basic(user, "pw", UTF_8));
    assertFalse(refused.getMessage().contains("pw"), refused.getMessage());
  }

  @Test
  void aCharsetThatCannotSayThemIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Credentials.basic("u", "\u20ac", ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\r\nX: y", "a\u0000", "caf\u00e9"})
  void otherCredentialsCannotSplitAFieldAndAreNotTold(String rest) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Credentials.of("Bearer", rest));
    assertFalse(refused.getMessage().contains("caf"), refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Credentials.of("Bea rer", "x"));
    refused = assertThrows(IllegalArgumentException.class, () -> Credentials.verbatim(rest));
    assertFalse(refused.getMessage().contains("caf"), refused.getMessage());
  }

  @Test
  void whatIsShownVerbatimNeedsNoScheme() {
    Credentials bare = Credentials.verbatim("s3cret");
    assertEquals("s3cret", bare.fieldValue());
    assertEquals("", bare.scheme());
    assertEquals("***", bare.toString());
    assertEquals("Basic s3cret", Credentials.verbatim("Basic s3cret").fieldValue());
    assertEquals(bare, Credentials.verbatim("s3cret"));
    assertNotEquals(bare, Credentials.verbatim("other"));
  }

  @Test
  void theirTextIsTheSchemeAlone() {
    Credentials bearer = Credentials.of("Bearer", "s3cret");
    assertEquals("Bearer s3cret", bearer.fieldValue());
    assertEquals("Bearer ***", bearer.toString());
    assertEquals(bearer, Credentials.of("bearer", "s3cret"));
    assertNotEquals(bearer, Credentials.of("Bearer", "other"));
    assertTrue(bearer.scheme().equals("Bearer"));
  }
}
