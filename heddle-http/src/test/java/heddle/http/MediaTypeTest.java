package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MediaTypeTest {
  private static final MediaType PLAIN = MediaType.of("text", "plain");

  private static String refusal(String name) {
    return assertThrows(IllegalArgumentException.class, () -> PLAIN.withParameter(name, "b"))
        .getMessage();
  }

  @Test
  void messageThatQuotesABadNameHasNoControlCharacters() {
    assertEquals(
        "the parameter's name is not a token: \"a\\r\\nforged: \\u0000\\u001B[31m\\u00E4\\\"\"",
        refusal("a\r\nforged: \u0000\u001b[31m\u00e4\""));
  }

  @Test
  void messageThatQuotesALongNameIsShort() {
    String message = refusal(" ".repeat(100_000));
    assertTrue(message.length() < 300, message);
  }

  @Test
  void schemeOfAnOriginIsQuotedLikewise() {
    String message = assertThrows(
            IllegalArgumentException.class, () -> new Origin("ht\ntp", "a.test", 80))
        .getMessage();
    assertTrue(message.startsWith("scheme \"ht\\ntp\""), message);
  }
}
