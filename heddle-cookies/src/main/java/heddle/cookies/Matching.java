package heddle.cookies;

import heddle.http.Request;

/** Matches hosts and paths of cookies (draft-ietf-httpbis-rfc6265bis section 5.1). */
final class Matching {
  private Matching() {}

  /**
   * The canonical host of a request (section 5.1.2). Requests already have it in lower case and
   * A-labels; an IPv6 address gets brackets, as in URLs.
   */
  static String host(Request request) {
    String host = request.origin().host();
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /** Whether a canonical host is an address, which has no parent domain. */
  static boolean isAddress(String host) {
    // The last label of a name is not a number: see Host.
    int last = host.lastIndexOf('.') + 1;
    return host.startsWith("[")
        || last > 0
            && last < host.length()
            && host.chars().skip(last).allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a host is the domain or a subdomain of it (section 5.1.3). */
  static boolean domainMatches(String host, String domain) {
    return host.equals(domain)
        || host.endsWith(domain)
            && host.charAt(host.length() - domain.length() - 1) == '.'
            && !isAddress(host);
  }

  /** The path of a request, or "/" if its target has none. */
  static String path(Request request) {
    String path = request.path();
    return path.startsWith("/") ? path : "/";
  }

  /** The path of cookies without a Path attribute (section 5.1.4). */
  static String defaultPath(String requestPath) {
    int last = requestPath.lastIndexOf('/');
    return last <= 0 ? "/" : requestPath.substring(0, last);
  }

  /** Whether a request's path is the cookie's path or below it (section 5.1.4). */
  static boolean pathMatches(String requestPath, String cookiePath) {
    return requestPath.equals(cookiePath)
        || requestPath.startsWith(cookiePath)
            && (cookiePath.endsWith("/") || requestPath.charAt(cookiePath.length()) == '/');
  }
}
