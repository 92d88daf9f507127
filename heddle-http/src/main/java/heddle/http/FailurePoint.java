package heddle.http;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where in a call something failed.
 *
 * @param method of the request
 * @param origin that the request was for
 * @param path of the request, without its query, which may hold private data; empty if no request
 *     was made
 * @param phase in which it failed
 * @param sent whether the request had been sent
 * @param elapsed since the call began
 * @param spent how much of that was spent in each phase, over all attempts; without phases that
 *     were not entered or took a negligible time. Empty if times were not recorded
 */
public record FailurePoint(
    Method method,
    Origin origin,
    String path,
    Phase phase,
    Sent sent,
    Duration elapsed,
    Map<Phase, Duration> spent) {
  /** Copies the map. */
  public FailurePoint {
    spent = spent.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(spent));
  }

  /** A point in the call of a request. */
  public FailurePoint(
      Request request, Phase phase, Sent sent, Duration elapsed, Map<Phase, Duration> spent) {
    this(request.method(), request.origin(), request.path(), phase, sent, elapsed, spent);
  }

  /** A point without an account of the time spent, and without a request. */
  public FailurePoint(Method method, Origin origin, Phase phase, Sent sent, Duration elapsed) {
    this(method, origin, "", phase, sent, elapsed, Map.of());
  }

  /**
   * Such as {@code GET http://x:80/a while AWAIT_HEAD after 12 ms (QUEUE 3 ms, AWAIT_HEAD 9 ms),
   * request sent: yes}.
   */
  @Override
  public String toString() {
    return "%s %s%s while %s after %d ms%s, request sent: %s"
        .formatted(method, origin, shownPath(), phase, elapsed.toMillis(), account(), sent);
  }

  private String shownPath() {
    return path.equals("*") ? " *" : path;
  }

  /** Phases of a millisecond or more; a single one would only repeat the total. */
  private String account() {
    List<String> noted = spent.entrySet().stream()
        .filter(each -> each.getValue().toMillis() > 0)
        .map(each -> each.getKey() + " " + each.getValue().toMillis() + " ms")
        .toList();
    return noted.size() < 2 ? "" : " (" + String.join(", ", noted) + ")";
  }
}
