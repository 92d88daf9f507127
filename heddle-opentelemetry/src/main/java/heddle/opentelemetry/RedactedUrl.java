package heddle.opentelemetry;

import heddle.http.Method;
import heddle.http.Request;
import java.util.Set;

/**
 * The value of {@code url.full}: the URL of a request without credentials in its query. Heddle's
 * URLs have no credentials before the host.
 *
 * @param keys whose values are redacted
 */
record RedactedUrl(Set<String> keys) {
  /** The keys that the convention for {@code url.full} names, which occur in signed URLs. */
  static final Set<String> DEFAULT_KEYS =
      Set.of("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature");

  private static final String REDACTED = "REDACTED";

  RedactedUrl {
    keys = Set.copyOf(keys);
  }

  String of(Request request) {
    StringBuilder url = new StringBuilder(request.origin().scheme())
        .append("://")
        .append(request.origin().hostHeader());
    if (request.method() == Method.CONNECT || request.target().equals("*")) {
      // RFC 9112 §3.2.3 and §3.2.4: these targets are not part of a URL.
      return url.toString();
    }
    url.append(request.path());
    String query = request.query();
    if (query != null) {
      char before = '?';
      for (String parameter : query.split("&", -1)) {
        append(url.append(before), parameter);
        before = '&';
      }
    }
    return url.toString();
  }

  private void append(StringBuilder url, String parameter) {
    int equals = parameter.indexOf('=');
    if (equals >= 0 && keys.contains(parameter.substring(0, equals))) {
      url.append(parameter, 0, equals + 1).append(REDACTED);
    } else {
      url.append(parameter);
    }
  }
}
