package heddle.connection.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.http.Headers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  private static @Nullable Duration timeout(String value) {
    return KeepAlive.timeout(Headers.of("Keep-Alive", value));
  }

  @Test
  void theTimeoutIsFoundAmongTheParameters() {
    assertEquals(Duration.ofSeconds(5), timeout("timeout=5"));
    assertEquals(Duration.ofSeconds(5), timeout("max=100, Timeout=5"));
    assertEquals(Duration.ZERO, timeout("timeout=0,max=1"));
  }

  @Test
  void whatCannotBeUnderstoodIsNoHint() {
    List<String> values = List.of(
        "",
        "5",
        "max=5",
        "timeout=",
        "timeout=-1",
        "timeout=5s",
        "timeout=99999999999999999999",
        "xtimeout=5");
    for (String value : values) {
      assertNull(timeout(value), value);
    }
    assertNull(KeepAlive.timeout(Headers.empty()));
  }
}
