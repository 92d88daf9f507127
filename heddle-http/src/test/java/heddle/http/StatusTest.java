package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A status and its phrase. */
class StatusTest {
  @Test
  void whatIsSaidAsRegisteredIsTheSameStatus() {
    assertSame(Status.NOT_FOUND, Status.of(404, "Not Found"));
  }

  @Test
  void anotherPhraseIsKeptAndMakesNoOtherStatus() {
    Status told = Status.of(404, "Client Error");
    assertEquals("Client Error", told.reason());
    assertEquals("404 Client Error", told.toString());
    assertEquals(Status.NOT_FOUND, told);
    assertEquals("", Status.of(200, "").reason());
  }

  @ParameterizedTest
  @ValueSource(strings = {"OK\r\nSet-Cookie: a=b", "a\nb", "a\0b", "a\u0100b", "\u007f"})
  void aPhraseCannotSplitAHead(String phrase) {
    assertThrows(IllegalArgumentException.class, () -> Status.of(200, phrase));
  }
}
