package heddle.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class SpanConverterTest {

  private final SpanConverter converter = new SpanConverter();

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "10s, PT10S",
    "10, PT10S",
    "0.25, PT0.25S",
    "1.5m, PT1M30S",
    "2h, PT2H",
    "' 3 S ', PT3S",
    "0.000000001, PT0.000000001S",
    "999999999, PT277777H46M39S"
  })
  void amountAndUnitAreRead(String text, Duration expected) {
    assertEquals(expected, converter.convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "+1", "1,5s", "1d", "s", "1e3", ".5", "5.", "1s 1s"})
  void anythingElseIsRefusedWithWhatIsExpected(String text) {
    String message = refusal(text);
    assertTrue(message.contains("'" + text + "'") && message.contains("1.5m"), message);
  }

  @Test
  void timeOutOfRangeIsRefused() {
    for (String text : new String[] {"0", "0.0000000001", "0ms", "0.0000001ms", "2562048h"}) {
      String message = refusal(text);
      assertTrue(message.contains("'" + text + "'"), message);
    }
    assertEquals(Duration.ofHours(2_562_047), converter.convert("2562047h"));
  }

  private String refusal(String text) {
    return String.valueOf(assertThrows(TypeConversionException.class, () -> converter.convert(text))
        .getMessage());
  }
}
