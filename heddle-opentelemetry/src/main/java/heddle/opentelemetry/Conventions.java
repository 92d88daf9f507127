package heddle.opentelemetry;

import heddle.http.HttpVersion;
import heddle.http.Method;
import io.opentelemetry.semconv.SchemaUrls;
import java.util.List;
import java.util.Set;

/** What the semantic conventions say of clients and servers alike. */
final class Conventions {
  static final String SCOPE = "io.heddle.opentelemetry";
  static final String SCHEMA = SchemaUrls.V1_45_0;

  /** The boundaries of durations, in seconds. */
  static final List<Double> BOUNDARIES =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  /** What {@code http.request.method} is for other methods than the known ones. */
  static final String OTHER_METHOD = "_OTHER";

  /** The mask of what is redacted in URLs. */
  static final String MASK = "REDACTED";

  /** Methods that {@code http.request.method} reports by name. */
  private static final Set<Method> KNOWN = Set.of(
      Method.GET,
      Method.HEAD,
      Method.POST,
      Method.PUT,
      Method.DELETE,
      Method.CONNECT,
      Method.OPTIONS,
      Method.TRACE,
      Method.PATCH);

  private Conventions() {}

  static boolean isKnown(Method method) {
    return KNOWN.contains(method);
  }

  /** The value of {@code http.request.method}. */
  static String name(Method method) {
    return isKnown(method) ? method.name() : OTHER_METHOD;
  }

  /** The value of {@code network.protocol.version}. */
  static String name(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
    };
  }
}
