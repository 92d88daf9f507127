package heddle.http;

import java.time.Duration;

/**
 * Where in a call something failed.
 *
 * @param method of the request
 * @param origin that the request was for
 * @param phase in which it failed
 * @param sent whether the request had been sent
 * @param elapsed since the call began
 */
public record FailurePoint(Method method, Origin origin, Phase phase, Sent sent, Duration elapsed) {

  /** Such as {@code GET http://x:80 while AWAIT_HEAD after 12 ms, request sent: yes}. */
  @Override
  public String toString() {
    return "%s %s while %s after %d ms, request sent: %s"
        .formatted(method, origin, phase, elapsed.toMillis(), sent);
  }
}
