package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
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

  /** RFC 9110 §6.4.1 names those without; what 205 must not have is its server's matter. */
  @Test
  void allButAFewMayHaveContent() {
    List<Integer> without = IntStream.range(100, 1000)
        .filter(code -> !Status.of(code).mayHaveContent())
        .boxed()
        .toList();
    List<Integer> named = IntStream.concat(IntStream.range(100, 200), IntStream.of(204, 304))
        .boxed()
        .toList();
    assertEquals(named, without);
  }

  @ParameterizedTest
  @ValueSource(strings = {"OK\r\nSet-Cookie: a=b", "a\nb", "a\0b", "a\u0100b", "\u007f"})
  void aPhraseCannotSplitAHead(String phrase) {
    assertThrows(IllegalArgumentException.class, () -> Status.of(200, phrase));
  }
}
