package heddle.connection.http1;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The Keep-Alive field, in which servers say how long they keep an idle connection: a hint that no
 * current standard defines (RFC 9112 appendix C.2.2) but common servers send.
 */
final class KeepAlive {
  /** Longer times make no difference, and more digits could overflow. */
  private static final int MOST_DIGITS = 9;

  private static final String PARAMETER = "timeout=";

  private KeepAlive() {}

  /** The {@code timeout} parameter, in seconds; null if it is missing or malformed. */
  static @Nullable Duration timeout(Headers headers) {
    String value = headers.first(HeaderName.KEEP_ALIVE);
    if (value == null) {
      return null;
    }
    for (String parameter : value.split(",", -1)) {
      String trimmed = parameter.strip();
      if (trimmed.regionMatches(true, 0, PARAMETER, 0, PARAMETER.length())) {
        String digits = trimmed.substring(PARAMETER.length());
        boolean valid = !digits.isEmpty()
            && digits.length() <= MOST_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return valid ? Duration.ofSeconds(Integer.parseInt(digits)) : null;
      }
    }
    return null;
  }
}
