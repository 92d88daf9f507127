package heddle.http;

import heddle.http.syntax.Octets;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;

/**
 * The answer to a {@link Challenge}: the value of Authorization or Proxy-Authorization (RFC 9110
 * section 11.4). Immutable; {@link #toString} has only the scheme.
 */
public final class Credentials {
  private final String scheme;
  private final String rest;

  private Credentials(String scheme, String rest) {
    this.scheme = scheme;
    this.rest = rest;
  }

  /**
   * Credentials of any scheme, such as {@code of("Bearer", token)}.
   *
   * @param rest a token or parameters, in visible ASCII with blanks between; not blank
   * @throws IllegalArgumentException if the scheme is not a token or the rest is not valid; the
   *     message names the index and repeats nothing of the credentials
   */
  public static Credentials of(String scheme, String rest) {
    Octets.checkToken("an authentication scheme", scheme);
    checkVisible(rest, " after their scheme");
    return new Credentials(scheme, rest);
  }

  /**
   * Credentials that are sent verbatim, also without a scheme, which RFC 9110 section 11.4 requires
   * and some servers and proxies do not. Their scheme is the empty text.
   *
   * @param value of the whole field, in visible ASCII with blanks between; not blank
   * @throws IllegalArgumentException if it is not valid; the message names the index and repeats
   *     nothing of the value
   */
  public static Credentials verbatim(String value) {
    checkVisible(value, "");
    return new Credentials("", value);
  }

  private static void checkVisible(String text, String where) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("credentials must not be empty" + where);
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Octets.isVisible(c) && !Octets.isBlank(c)) {
        throw new IllegalArgumentException(
            "the char at index " + i + " may not stand in credentials: use visible ASCII");
      }
    }
  }

  /**
   * Credentials of the scheme Basic (RFC 7617). If the charset is UTF-8, both are brought into
   * Unicode's normalization form C first.
   *
   * @param user without a colon
   * @throws IllegalArgumentException if the user has a colon, one of them has a control character,
   *     or the charset cannot encode one of them
   */
  public static Credentials basic(String user, String password, Charset charset) {
    if (user.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "the user of Basic credentials has a colon, which would end it (RFC 7617 section 2)");
    }
    String both = user + ":" + password;
    if (both.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "user or password has a control character (RFC 7617 section 2)");
    }
    if (charset.equals(StandardCharsets.UTF_8)) {
      both = Normalizer.normalize(both, Normalizer.Form.NFC);
    }
    if (!charset.canEncode() || !charset.newEncoder().canEncode(both)) {
      throw new IllegalArgumentException(
          charset + " cannot say user or password: use UTF-8, which the server must expect");
    }
    String token = Base64.getEncoder().encodeToString(both.getBytes(charset));
    return new Credentials("Basic", token);
  }

  /** Such as {@code Basic}; empty for {@linkplain #verbatim verbatim} credentials. */
  public String scheme() {
    return scheme;
  }

  /** The value of the field: the secret itself. */
  public String fieldValue() {
    return scheme.isEmpty() ? rest : scheme + " " + rest;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Credentials other
        && scheme.equalsIgnoreCase(other.scheme)
        && rest.equals(other.rest);
  }

  @Override
  public int hashCode() {
    return rest.hashCode();
  }

  /** The scheme; nothing of the secret. */
  @Override
  public String toString() {
    return scheme.isEmpty() ? "***" : scheme + " ***";
  }
}
