package heddle.cookies;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cookie as a store keeps it (draft-ietf-httpbis-rfc6265bis section 5.7). Names and values are
 * octets, one char for each.
 *
 * @param name empty for a cookie without a name
 * @param value quotation marks included
 * @param domain the host that has set it, or the domain that it gave; in small letters, in A-labels
 *     (RFC 5890), an IPv6 address in brackets
 * @param hostOnly whether only that host gets it, and none below
 * @param path begins with a slash
 * @param secure whether it is sent over https alone
 * @param httpOnly whether it is meant for HTTP alone, and not for scripts; kept, and nothing more
 * @param sameSite kept, and nothing more: a client's requests come from no other site
 * @param expires null for a cookie of the session
 * @param created when a cookie of this name, domain and path was first set
 * @param lastAccess when it was last sent, or set
 */
public record Cookie(
    String name,
    String value,
    String domain,
    boolean hostOnly,
    String path,
    boolean secure,
    boolean httpOnly,
    SameSite sameSite,
    @Nullable Instant expires,
    Instant created,
    Instant lastAccess) {

  /** On which requests of browsers a cookie is sent (section 5.6.7). */
  public enum SameSite {
    /** Not said. */
    DEFAULT,
    NONE,
    LAX,
    STRICT
  }

  /**
   * @throws IllegalArgumentException if it is none that a server could have set
   */
  public Cookie {
    check("name", name, "=;");
    check("value", value, ";");
    check("domain", domain, "");
    // The default path is a request's, in which a semicolon may stand.
    check("path", path, "");
    if (name.isEmpty() && value.isEmpty()) {
      throw new IllegalArgumentException("a cookie has a name or a value");
    }
    if (domain.isEmpty() || !path.startsWith("/")) {
      throw new IllegalArgumentException(
          "a cookie has a domain, and a path that begins with a slash, not " + domain + path);
    }
  }

  private static void check(String what, String text, String separators) {
    boolean blanks = !SetCookie.trim(text).equals(text);
    if (blanks
        || text.chars().anyMatch(c -> c > 0xFF || separators.indexOf(c) >= 0)
        || SetCookie.hasControl(text)) {
      // Without the text: it may be a credential.
      throw new IllegalArgumentException("the " + what + " of a cookie holds what cannot be sent:"
          + " no control characters, blanks at its ends, chars above 0xFF, or any of \""
          + separators + '"');
    }
  }

  boolean isExpired(Instant now) {
    return expires != null && !expires.isAfter(now);
  }

  /** Whether a cookie with the same name, domain and path takes this one's place (5.7 step 23). */
  boolean isReplacedBy(Cookie other) {
    return name.equals(other.name)
        && domain.equals(other.domain)
        && hostOnly == other.hostOnly
        && path.equals(other.path);
  }

  /** This cookie with other times. */
  Cookie at(@Nullable Instant newExpires, Instant newCreated, Instant newLastAccess) {
    return new Cookie(
        name,
        value,
        domain,
        hostOnly,
        path,
        secure,
        httpOnly,
        sameSite,
        newExpires,
        newCreated,
        newLastAccess);
  }

  /** For a log: without the value, which may be a credential. */
  @Override
  public String toString() {
    return "Cookie(" + name + "=***, " + (hostOnly ? "" : ".") + domain + path
        + (secure ? ", secure" : "") + (expires == null ? "" : ", until " + expires) + ")";
  }
}
