package heddle.web;

import heddle.http.HttpDate;
import heddle.http.syntax.Host;
import heddle.http.syntax.Octets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cookie for the client to keep: the value of a Set-Cookie field (RFC 6265bis section 4.1).
 *
 * <pre>{@code
 * SetCookie session = SetCookie.builder("__Host-session", id)
 *     .secure(true)
 *     .maxAge(Duration.ofHours(8))
 *     .build();
 * return Response.builder(Status.OK).header("Set-Cookie", session.toString()).build();
 * }</pre>
 *
 * @param name a token
 * @param value of visible ASCII characters except double quotes, commas, semicolons and backslashes
 * @param maxAge how long it is kept; not positive to remove it; null for {@code expires}, or else
 *     for as long as the client's session
 * @param expires when it is removed, to the second; null if not given
 * @param domain all hosts of which get it; null for this host alone
 * @param path at and below which it is sent; null for that of the request without its last segment
 * @param secure whether it is sent over TLS alone
 * @param httpOnly whether it is hidden from scripts
 * @param sameSite on which requests of other sites it is sent; null for the client's default
 * @param partitioned whether it is kept apart for each site that embeds this one (CHIPS)
 */
public record SetCookie(
    String name,
    String value,
    @Nullable Duration maxAge,
    @Nullable Instant expires,
    @Nullable String domain,
    @Nullable String path,
    boolean secure,
    boolean httpOnly,
    @Nullable SameSite sameSite,
    boolean partitioned) {
  /** The limit of name and value together, beyond which clients ignore the cookie. */
  private static final int MAX_NAME_AND_VALUE = 4096;

  /** The limit of the value of an attribute. */
  private static final int MAX_ATTRIBUTE = 1024;

  /** On which requests of other sites a cookie is sent (RFC 6265bis section 4.1.2.7). */
  public enum SameSite {
    /** On none. */
    STRICT("Strict"),

    /** When the user follows a link to this site. */
    LAX("Lax"),

    /** On all; the cookie must be secure. */
    NONE("None");

    private final String text;

    SameSite(String text) {
      this.text = text;
    }
  }

  /**
   * Checks a cookie.
   *
   * @throws IllegalArgumentException if a component is malformed, or clients would ignore the
   *     cookie: it is too long, or is not secure though its name, {@code sameSite} or {@code
   *     partitioned} demand that
   */
  public SetCookie {
    Octets.checkToken("the name of a cookie", name);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!Octets.isVisible(c) || "\",;\\".indexOf(c) >= 0) {
        throw new IllegalArgumentException(
            "%s at index %d may not stand in the value of the cookie %s: encode it, as Base64"
                .formatted(Octets.describe(c), i, name));
      }
    }
    if (name.length() + value.length() > MAX_NAME_AND_VALUE) {
      throw new IllegalArgumentException("the cookie %s has %d bytes, but clients take at most %d"
          .formatted(name, name.length() + value.length(), MAX_NAME_AND_VALUE));
    }
    if (domain != null) {
      domain = Host.parse(domain, 0, domain.length());
    }
    if (path != null) {
      checkPath(name, path);
    }
    checkSecure(name, domain, path, secure, sameSite, partitioned);
  }

  private static void checkPath(String name, String path) {
    boolean wrong = !path.startsWith("/") || path.length() > MAX_ATTRIBUTE;
    for (int i = 0; i < path.length(); i++) {
      wrong |= !Octets.isVisible(path.charAt(i)) || path.charAt(i) == ';';
    }
    if (wrong) {
      throw new IllegalArgumentException(
          "the path of the cookie %s must be a slash and at most %d visible characters, without"
                  .formatted(name, MAX_ATTRIBUTE - 1)
              + " semicolons, but was " + Octets.quote(path));
    }
  }

  /** RFC 6265bis sections 4.1.3 and 5.7: what clients ignore. */
  private static void checkSecure(
      String name,
      @Nullable String domain,
      @Nullable String path,
      boolean secure,
      @Nullable SameSite sameSite,
      boolean partitioned) {
    boolean isHost = hasPrefix(name, "__Host-");
    if (!secure
        && (isHost || hasPrefix(name, "__Secure-") || sameSite == SameSite.NONE || partitioned)) {
      throw new IllegalArgumentException("the cookie " + name + " must be secure, because of its"
          + " name, SameSite=None or Partitioned: call secure(true)");
    }
    if (isHost && (domain != null || !"/".equals(path))) {
      throw new IllegalArgumentException(
          "the cookie " + name + " must have the path / and no domain, because of its name");
    }
  }

  private static boolean hasPrefix(String name, String prefix) {
    return name.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  /** A builder for a cookie with the path {@code /}, HttpOnly and SameSite=Lax. */
  public static Builder builder(String name, String value) {
    return new Builder(name, value);
  }

  /** The value of Set-Cookie, such as {@code id=7; Path=/; HttpOnly; SameSite=Lax}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name).append('=').append(value);
    if (maxAge != null) {
      text.append("; Max-Age=").append(Math.max(0, maxAge.toSeconds()));
    }
    if (expires != null) {
      text.append("; Expires=").append(HttpDate.format(expires));
    }
    if (domain != null) {
      text.append("; Domain=").append(domain);
    }
    if (path != null) {
      text.append("; Path=").append(path);
    }
    text.append(secure ? "; Secure" : "").append(httpOnly ? "; HttpOnly" : "");
    if (sameSite != null) {
      text.append("; SameSite=").append(sameSite.text);
    }
    return text.append(partitioned ? "; Partitioned" : "").toString();
  }

  /** Collects the components of a cookie. Not safe for use by several threads. */
  public static final class Builder {
    private final String name;
    private final String value;
    private @Nullable Duration maxAge;
    private @Nullable Instant expires;
    private @Nullable String domain;
    private @Nullable String path = "/";
    private boolean secure;
    private boolean httpOnly = true;
    private @Nullable SameSite sameSite = SameSite.LAX;
    private boolean partitioned;

    private Builder(String name, String value) {
      this.name = Objects.requireNonNull(name, "name");
      this.value = Objects.requireNonNull(value, "value");
    }

    /** Sets how long the client keeps it, in whole seconds; zero to remove it. */
    public Builder maxAge(@Nullable Duration maxAge) {
      this.maxAge = maxAge;
      return this;
    }

    /** Sets when the client removes it; {@link #maxAge} goes before. */
    public Builder expires(@Nullable Instant expires) {
      this.expires = expires;
      return this;
    }

    /** Sets the domain all hosts of which get it; null for this host alone. */
    public Builder domain(@Nullable String domain) {
      this.domain = domain;
      return this;
    }

    /** Sets the path at and below which it is sent. */
    public Builder path(@Nullable String path) {
      this.path = path;
      return this;
    }

    /** Sets whether it is sent over TLS alone; false without this. */
    public Builder secure(boolean secure) {
      this.secure = secure;
      return this;
    }

    /** Sets whether it is hidden from scripts; true without this. */
    public Builder httpOnly(boolean httpOnly) {
      this.httpOnly = httpOnly;
      return this;
    }

    /** Sets on which requests of other sites it is sent; LAX without this. */
    public Builder sameSite(@Nullable SameSite sameSite) {
      this.sameSite = sameSite;
      return this;
    }

    /** Sets whether it is kept apart for each site that embeds this one; false without this. */
    public Builder partitioned(boolean partitioned) {
      this.partitioned = partitioned;
      return this;
    }

    /**
     * Builds the cookie.
     *
     * @throws IllegalArgumentException as {@link SetCookie#SetCookie} does
     */
    public SetCookie build() {
      return new SetCookie(
          name, value, maxAge, expires, domain, path, secure, httpOnly, sameSite, partitioned);
    }
  }
}
