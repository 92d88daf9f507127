package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ClientsTest {
  @Test
  void negativeTimeoutIsRefusedByName() {
    Duration second = Duration.ofSeconds(1);
    assertEquals(
        "the read timeout must not be negative, but was PT-1S; use zero" + " for no limit",
        assertThrows(
                IllegalArgumentException.class, () -> Clients.builder(second, second.negated()))
            .getMessage());
  }

  @Test
  void zeroAndTheLongestDurationAreNoLimit() {
    assertDoesNotThrow(() -> Clients.builder(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)));
  }
}
