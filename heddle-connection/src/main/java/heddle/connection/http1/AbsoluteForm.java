package heddle.connection.http1;

import heddle.http.Method;
import heddle.http.Request;

/** The request-target of a request that a proxy forwards, RFC 9112 §3.2.2. */
final class AbsoluteForm {
  private AbsoluteForm() {}

  /** Scheme, authority as in Host, and the rest as it is. */
  static String of(Request request) {
    if (request.method() == Method.CONNECT) {
      return request.target();
    }
    String authority = request.origin().scheme() + "://" + request.origin().hostHeader();
    // RFC 9112 §3.2.4: the last proxy makes an asterisk of a URI without path and query.
    return request.target().equals("*") ? authority : authority + request.target();
  }
}
