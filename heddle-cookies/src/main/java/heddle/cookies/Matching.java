package heddle.cookies;

import heddle.http.Request;

/** Which hosts and paths a cookie is for (draft-ietf-httpbis-rfc6265bis section 5.1). */
final class Matching {
  private Matching() {}

  /**
   * The host of a request in its canonical form (section 5.1.2). That its letters are small and its
   * labels are A-labels, requests see to; an address of IPv6 gets brackets, as in URLs.
   */
  static String host(Request request) {
    String host = request.origin().host();
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /** Whether a canonical host is an address: then it has no domain above it. */
  static boolean isAddress(String host) {
    // A name's last label is no number: see Host.
    int last = host.lastIndexOf('.') + 1;
    return host.startsWith("[")
        || last > 0
            && last < host.length()
            && host.chars().skip(last).allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a host is a domain, or in it (section 5.1.3). */
  static boolean domainMatches(String host, String domain) {
    return host.equals(domain)
        || host.endsWith(domain)
            && host.charAt(host.length() - domain.length() - 1) == '.'
            && !isAddress(host);
  }

  /** The path of a request; where its target has none, it is all of the host. */
  static String path(Request request) {
    String path = request.path();
    return path.startsWith("/") ? path : "/";
  }

  /** The path of cookies that give none (section 5.1.4). */
  static String defaultPath(String requestPath) {
    int last = requestPath.lastIndexOf('/');
    return last <= 0 ? "/" : requestPath.substring(0, last);
  }

  /** Whether a request's path is a cookie's, or in it (section 5.1.4). */
  static boolean pathMatches(String requestPath, String cookiePath) {
    return requestPath.equals(cookiePath)
        || requestPath.startsWith(cookiePath)
            && (cookiePath.endsWith("/") || requestPath.charAt(cookiePath.length()) == '/');
  }
}
