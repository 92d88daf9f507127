package heddle.http;

import heddle.http.syntax.Octets;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A media type (RFC 9110 section 8.3.1), such as {@code text/plain; charset=utf-8}. Immutable;
 * type, subtype and names of parameters are kept in small letters.
 */
public final class MediaType {
  public static final MediaType TEXT_PLAIN_UTF8 = parse("text/plain; charset=utf-8");
  public static final MediaType TEXT_HTML_UTF8 = parse("text/html; charset=utf-8");
  public static final MediaType APPLICATION_JSON = parse("application/json");
  public static final MediaType OCTET_STREAM = parse("application/octet-stream");

  private final String type;
  private final String subtype;
  private final Map<String, String> parameters;

  // Made when first asked for; a race makes equal ones twice.
  private @Nullable Headers headers;

  private MediaType(String type, String subtype, Map<String, String> parameters) {
    this.type = type;
    this.subtype = subtype;
    this.parameters = parameters;
  }

  /**
   * A media type without parameters.
   *
   * @throws IllegalArgumentException if one of the two is not a token
   */
  public static MediaType of(String type, String subtype) {
    return parse(type + "/" + subtype);
  }

  /**
   * The media type that a Content-Type field holds. If a parameter is given twice, the first one
   * counts.
   *
   * @throws IllegalArgumentException if the text breaks RFC 9110's grammar; the message says at
   *     which index
   */
  public static MediaType parse(String text) {
    Parser parser = new Parser(text);
    String type = parser.token("type").toLowerCase(Locale.ROOT);
    parser.expect('/');
    String subtype = parser.token("subtype").toLowerCase(Locale.ROOT);
    return new MediaType(type, subtype, parser.parameters());
  }

  /** The part before the slash, in small letters. */
  public String type() {
    return type;
  }

  /** The part after the slash, in small letters. */
  public String subtype() {
    return subtype;
  }

  /** Value of the parameter with this name, ignoring case, without quotes; or null. */
  public @Nullable String parameter(String name) {
    return parameters.get(name.toLowerCase(Locale.ROOT));
  }

  /**
   * This media type with a parameter set.
   *
   * @throws IllegalArgumentException if the name is not a token, or the value holds a character
   *     that may not stand in a field
   */
  public MediaType withParameter(String name, String value) {
    if (name.isEmpty() || Octets.indexOfNonToken(name) >= 0) {
      throw new IllegalArgumentException(
          "the parameter's name is not a token: " + Octets.quote(name));
    }
    for (int i = 0; i < value.length(); i++) {
      if (!Octets.isFieldValue(value.charAt(i))) {
        throw new IllegalArgumentException(
            "%s at index %d may not stand in the parameter %s: remove or encode it"
                .formatted(Octets.describe(value.charAt(i)), i, name));
      }
    }
    Map<String, String> changed = new LinkedHashMap<>(parameters);
    changed.put(name.toLowerCase(Locale.ROOT), value);
    return new MediaType(type, subtype, changed);
  }

  /** The charset that the parameter {@code charset} names; null if none, or unknown here. */
  public @Nullable Charset charset() {
    String name = parameters.get("charset");
    if (name == null) {
      return null;
    }
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return null;
    }
  }

  /** A Content-Type field with this value, and no other; made once. */
  Headers asHeaders() {
    Headers known = headers;
    if (known == null) {
      known = Headers.builder().add(HeaderName.CONTENT_TYPE, toString()).build();
      headers = known;
    }
    return known;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof MediaType other
        && type.equals(other.type)
        && subtype.equals(other.subtype)
        && parameters.equals(other.parameters);
  }

  @Override
  public int hashCode() {
    return (type.hashCode() * 31 + subtype.hashCode()) * 31 + parameters.hashCode();
  }

  /** As sent in Content-Type; values that are not tokens are quoted. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(type).append('/').append(subtype);
    parameters.forEach((name, value) -> {
      boolean token = !value.isEmpty() && Octets.indexOfNonToken(value) < 0;
      text.append("; ").append(name).append('=').append(token ? value : quote(value));
    });
    return text.toString();
  }

  /** A quoted-string (RFC 9110 section 5.6.4). */
  private static String quote(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    private int peek() {
      return at < text.length() ? text.charAt(at) : -1;
    }

    String token(String what) {
      int start = at;
      while (Octets.isToken(peek())) {
        at++;
      }
      if (at == start) {
        throw failure(what + " expected");
      }
      return text.substring(start, at);
    }

    void expect(char c) {
      if (peek() != c) {
        throw failure("'" + c + "' expected");
      }
      at++;
    }

    Map<String, String> parameters() {
      Map<String, String> found = new LinkedHashMap<>();
      skipBlanks();
      while (at < text.length()) {
        expect(';');
        skipBlanks();
        if (Octets.isToken(peek())) {
          String name = token("parameter").toLowerCase(Locale.ROOT);
          expect('=');
          found.putIfAbsent(name, peek() == '"' ? quoted() : token("value"));
          skipBlanks();
        }
      }
      return found;
    }

    private String quoted() {
      StringBuilder value = new StringBuilder();
      at++;
      while (peek() != '"') {
        if (peek() == '\\') {
          at++;
        }
        int c = peek();
        if (!Octets.isFieldValue(c)) {
          throw failure(c < 0 ? "closing quote expected" : "illegal character");
        }
        value.append((char) c);
        at++;
      }
      at++;
      return value.toString();
    }

    private void skipBlanks() {
      while (peek() == ' ' || peek() == '\t') {
        at++;
      }
    }

    private IllegalArgumentException failure(String what) {
      return new IllegalArgumentException(
          "not a media type: " + what + " at index " + at + " (such as text/plain; charset=utf-8)");
    }
  }
}
