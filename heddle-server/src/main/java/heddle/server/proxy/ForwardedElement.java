package heddle.server.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.http.syntax.Authority;
import heddle.http.syntax.FieldParser;
import heddle.http.syntax.Octets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one proxy says in {@code Forwarded} (RFC 7239 section 4); parameters that the RFC does not
 * define, and {@code by}, are left out.
 */
record ForwardedElement(
    @Nullable ForwardedNode node, @Nullable String scheme, @Nullable String host) {

  /** The element, or null if the text is malformed. */
  static @Nullable ForwardedElement parse(String text) {
    Map<String, String> pairs;
    try {
      pairs = pairs(new FieldParser(text, "a Forwarded field"));
    } catch (IllegalArgumentException e) {
      return null;
    }
    String given = pairs.get("for");
    ForwardedNode node = given == null ? null : ForwardedNode.parse(given, false);
    String scheme = schemeOrNull(pairs.get("proto"));
    String host = hostOrNull(pairs.get("host"));
    boolean malformed = given != null && node == null
        || pairs.containsKey("proto") && scheme == null
        || pairs.containsKey("host") && host == null;
    return malformed ? null : new ForwardedElement(node, scheme, host);
  }

  /** Blanks around semicolons are accepted, which the RFC does not have. */
  private static Map<String, String> pairs(FieldParser in) {
    Map<String, String> pairs = new HashMap<>();
    while (in.peek() >= 0) {
      if (in.peek() != ';') {
        String name = in.name();
        in.expect('=');
        if (pairs.put(name, in.parameterValue()) != null) {
          throw in.wrong("a second " + name);
        }
        in.skipBlanks();
      }
      if (in.peek() >= 0) {
        in.expect(';');
        in.skipBlanks();
      }
    }
    return pairs;
  }

  /** A scheme in small letters; null if there is none or it is malformed. */
  static @Nullable String schemeOrNull(@Nullable String text) {
    byte[] octets = text == null ? new byte[0] : text.getBytes(ISO_8859_1);
    return text != null && Octets.isScheme(octets, 0, octets.length)
        ? text.toLowerCase(Locale.ROOT)
        : null;
  }

  /** A Host field's value; null if there is none or it is malformed. */
  static @Nullable String hostOrNull(@Nullable String text) {
    byte[] octets = text == null ? new byte[0] : text.getBytes(ISO_8859_1);
    return text != null && Authority.isAuthority(octets, 0, octets.length, false) ? text : null;
  }
}
