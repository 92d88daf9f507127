package heddle.client;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.RetryPolicy.Decision;
import heddle.client.settings.Timeouts;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be meant is refused when it is said, with the setting's name and its range. */
class BadSettingsTest {
  private static final Timeouts TIMES = Timeouts.DEFAULTS;
  private static final Duration LESS = Duration.ofSeconds(-1);

  private static Arguments refused(Executable bad, String... said) {
    return Arguments.of(bad, List.of(said));
  }

  static Stream<Arguments> bad() {
    return Stream.of(
        refused(
            () -> TIMES.toBuilder().call(Duration.ZERO).build(),
            "Timeouts.call",
            "must be positive"),
        refused(() -> TIMES.toBuilder().connect(LESS).build(), "Timeouts.connect", "PT-1S"),
        refused(() -> TIMES.toBuilder().tls(LESS).build(), "Timeouts.tls", "PT-1S"),
        refused(() -> TIMES.toBuilder().settings(LESS).build(), "Timeouts.settings", "PT-1S"),
        refused(
            () -> TIMES.toBuilder().firstByte(Duration.ZERO).build(), "Timeouts.firstByte", "PT0S"),
        refused(() -> TIMES.toBuilder().silence(LESS).build(), "Timeouts.silence", "PT-1S"),
        refused(() -> TIMES.toBuilder().close(LESS).build(), "Timeouts.close", "PT-1S"),
        refused(() -> new RetryBudget(1.1, 1), "share", "0 to 1", "1.1"),
        refused(() -> new RetryBudget(Double.NaN, 1), "share", "NaN"),
        refused(() -> new RetryBudget(0.1, -1), "perSecond", "at least 0", "-1"),
        refused(() -> RetryPolicy.onStatus().statuses(200), "400 to 599", "200"),
        refused(() -> RetryPolicy.onStatus().statuses(), "statuses", "at least one"),
        refused(() -> RetryPolicy.onStatus().times(0), "times", "1 to 100", "0"),
        refused(() -> RetryPolicy.onStatus().maxDelay(LESS), "maxDelay", "PT-1S"),
        refused(
            () -> RetryPolicy.onStatus().backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)),
            "backoff",
            "PT2S",
            "PT1S"),
        refused(() -> Decision.repeatAfter(LESS), "delay", "PT-1S"),
        refused(() -> Deadlines.within(LESS, () -> 1), "deadline", "PT-1S"),
        refused(
            () -> HttpClient.builder().deadlineHeader(HeaderName.of("Content-Length")),
            "deadlineHeader",
            "Content-Length"),
        refused(() -> HttpClient.builder().version(HttpVersion.HTTP_1_0), "HTTP/1.0"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void isRefusedWithItsNameAndRange(Executable bad, List<String> said) {
    String message = assertThrows(IllegalArgumentException.class, bad).getMessage();
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
  }
}
