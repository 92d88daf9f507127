package heddle.cookies;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cookie in a store (draft-ietf-httpbis-rfc6265bis section 5.7). Names and values are octets, one
 * char per octet.
 *
 * @param name empty for a cookie without a name
 * @param value quotation marks included
 * @param domain the host that has set it, or its Domain attribute; in lower case, in A-labels (RFC
 *     5890), an IPv6 address in brackets
 * @param hostOnly whether only that host gets it, and no subdomain
 * @param path begins with a slash
 * @param secure whether it is sent over https only
 * @param httpOnly whether scripts must not see it; stored, but without effect
 * @param sameSite stored, but without effect: a client's requests come from no other site
 * @param expires null for a session cookie
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

  /** The requests of browsers with which a cookie is sent (section 5.6.7). */
  public enum SameSite {
    /** Not set. */
    DEFAULT,

    /** Sent with all requests; the default of this store. */
    NONE,

    /** Sent with safe navigations from other sites. */
    LAX,

    /** Sent with requests from the same site alone. */
    STRICT
  }

  /**
   * @throws IllegalArgumentException if no server could have set this cookie
   */
  public Cookie {
    check("name", name, "=;");
    check("value", value, ";");
    check("domain", domain, "");
    // The default path comes from the request, and may contain a semicolon.
    check("path", path, "");
    if (name.isEmpty() && value.isEmpty()) {
      throw new IllegalArgumentException("a cookie must have a name or a value");
    }
    if (domain.isEmpty() || !path.startsWith("/")) {
      throw new IllegalArgumentException(
          "a cookie must have a domain, and a path that begins with a slash: " + domain + path);
    }
  }

  private static void check(String what, String text, String separators) {
    boolean blanks = !SetCookie.trim(text).equals(text);
    if (blanks
        || text.chars().anyMatch(c -> c > 0xFF || separators.indexOf(c) >= 0)
        || SetCookie.hasControl(text)) {
      // Without the text: it may be a credential.
      throw new IllegalArgumentException("the " + what + " of a cookie cannot be sent:"
          + " it must not have control characters, outer blanks, chars above 0xFF, or any of \""
          + separators + '"');
    }
  }

  boolean isExpired(Instant now) {
    return expires != null && !expires.isAfter(now);
  }

  /**
   * Whether a cookie has the same name, domain and path, and so replaces this one (5.7 step 23).
   */
  boolean isReplacedBy(Cookie other) {
    return name.equals(other.name)
        && domain.equals(other.domain)
        && hostOnly == other.hostOnly
        && path.equals(other.path);
  }

  /** Returns this cookie with other times. */
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

  /** Omits the value, which may be a credential. */
  @Override
  public String toString() {
    return "Cookie(" + name + "=***, " + (hostOnly ? "" : ".") + domain + path
        + (secure ? ", secure" : "") + (expires == null ? "" : ", until " + expires) + ")";
  }
}
