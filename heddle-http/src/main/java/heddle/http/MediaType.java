package heddle.http;

import heddle.http.syntax.FieldParser;
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
  /** Plain text in UTF-8. */
  public static final MediaType TEXT_PLAIN_UTF8 = parse("text/plain; charset=utf-8");

  /** HTML in UTF-8. */
  public static final MediaType TEXT_HTML_UTF8 = parse("text/html; charset=utf-8");

  /** JSON: RFC 8259. */
  public static final MediaType APPLICATION_JSON = parse("application/json");

  /** Bytes of which no more is known. */
  public static final MediaType OCTET_STREAM = parse("application/octet-stream");

  private final String type;
  private final String subtype;
  private final Map<String, String> parameters;
  private @Nullable Headers headers; // made when first asked for; a race makes equal ones twice

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
   * The media type that a Content-Type field holds. Of a repeated parameter the first counts.
   *
   * @throws IllegalArgumentException if the text breaks RFC 9110's grammar; says at which index
   */
  public static MediaType parse(String text) {
    FieldParser in = new FieldParser(text, "a media type (such as text/plain; charset=utf-8)");
    String type = in.token("a type").toLowerCase(Locale.ROOT);
    in.expect('/');
    String subtype = in.token("a subtype").toLowerCase(Locale.ROOT);
    Map<String, String> parameters = new LinkedHashMap<>();
    in.skipBlanks();
    while (in.peek() >= 0) {
      in.expect(';');
      in.skipBlanks();
      if (Octets.isToken(in.peek())) {
        String name = in.name();
        in.expect('=');
        parameters.putIfAbsent(name, in.parameterValue());
        in.skipBlanks();
      }
    }
    return new MediaType(type, subtype, parameters);
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
    Octets.checkFieldValue("the parameter " + name, value);
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
}
