package heddle.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server or a proxy demands before it serves a request (RFC 9110 section 11.3): a scheme
 * with parameters, or with one token. Immutable.
 *
 * <pre>{@code
 * for (Challenge challenge : Challenge.in(response.headers(), HeaderName.WWW_AUTHENTICATE)) {
 *   if (challenge.is("Basic")) {
 *     String realm = challenge.parameter("realm");
 *   }
 * }
 * }</pre>
 *
 * @param scheme as it was sent, such as {@code Basic}; its case does not matter
 * @param token68 the token after the scheme; null if there is none
 * @param parameters by their names in small letters, in the order in which they were sent; quoted
 *     ones without their quotes and backslashes. One char for each octet, as in {@link Headers}
 */
public record Challenge(String scheme, @Nullable String token68, Map<String, String> parameters) {
  /**
   * @throws IllegalArgumentException if there are both a token and parameters
   */
  public Challenge {
    if (token68 != null && !parameters.isEmpty()) {
      throw new IllegalArgumentException(
          "a challenge has one token or parameters, not both (RFC 9110 section 11.3)");
    }
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * The challenges of a response, in their order; several may stand in one field and in several. A
   * field that breaks the grammar of RFC 9110 section 11.6.1, or has more than 16 challenges or 32
   * parameters in one of them, is ignored: other fields may be valid.
   *
   * @param name {@link HeaderName#WWW_AUTHENTICATE} or {@link HeaderName#PROXY_AUTHENTICATE}
   */
  public static List<Challenge> in(Headers headers, HeaderName name) {
    List<Challenge> all = new ArrayList<>();
    for (int i = headers.indexOf(name, 0); i >= 0; i = headers.indexOf(name, i + 1)) {
      try {
        all.addAll(parse(headers.value(i)));
      } catch (IllegalArgumentException e) {
        // The meaning is unclear; the caller still has the response with the field.
      }
    }
    return List.copyOf(all);
  }

  /**
   * The challenges of one field's value, in their order.
   *
   * @throws IllegalArgumentException if it breaks the grammar, a parameter occurs twice in a
   *     challenge, or there are too many, as in {@link #in}; the message says at which index
   */
  public static List<Challenge> parse(String value) {
    return new ChallengeParser(value).parse();
  }

  /** Whether it has this scheme, ignoring case. */
  public boolean is(String name) {
    return scheme.equalsIgnoreCase(name);
  }

  /** The value of the parameter with this name, ignoring case; null if there is none. */
  public @Nullable String parameter(String name) {
    return parameters.get(name.toLowerCase(Locale.ROOT));
  }

  /** The protection space (RFC 9110 section 11.5); null if it is not named. */
  public @Nullable String realm() {
    return parameter("realm");
  }

  /** Scheme and parameters, for a log; a token may be a part of a secret and is masked. */
  @Override
  public String toString() {
    return token68 != null ? scheme + " ***" : scheme + " " + parameters;
  }
}
