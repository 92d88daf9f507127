package heddle.http.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value of WWW-Authenticate or Proxy-Authenticate (RFC 9110 section 11.6.1). A comma ends
 * a parameter or a challenge; what follows decides which: a name with an equals sign is a further
 * parameter, anything else the next challenge's scheme.
 */
public final class ChallengeParser {
  private static final int MAX_CHALLENGES = 16;
  private static final int MAX_PARAMETERS = 32;

  private final String text;
  private final List<Parsed> challenges = new ArrayList<>();
  private int at;

  /** A challenge; its parameters by their names in small letters. */
  public record Parsed(String scheme, @Nullable String token68, Map<String, String> parameters) {}

  public ChallengeParser(String text) {
    this.text = text;
  }

  /**
   * All challenges, at least one; to be called once.
   *
   * @throws IllegalArgumentException if the value is not valid; the message says why and where
   */
  public List<Parsed> parse() {
    skipCommas();
    do {
      if (challenges.size() == MAX_CHALLENGES) {
        throw wrong("more than " + MAX_CHALLENGES + " challenges");
      }
      challenges.add(challenge());
    } while (at < text.length());
    return challenges;
  }

  /** challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ], with the comma after it. */
  private Parsed challenge() {
    String scheme = token("a scheme");
    Map<String, String> parameters = new LinkedHashMap<>();
    String token68 = null;
    int afterScheme = at;
    skipBlanks();
    if (at > afterScheme && text.charAt(afterScheme) == ' ') {
      token68 = token68();
      while (token68 == null && isParameter()) {
        parameter(parameters);
      }
    }
    if (token68 != null || parameters.isEmpty()) {
      endOfElement();
    }
    return new Parsed(scheme, token68, parameters);
  }

  /** token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="; null if it is none. */
  private @Nullable String token68() {
    int end = at;
    while (end < text.length() && isToken68(text.charAt(end))) {
      end++;
    }
    int padding = end;
    while (padding < text.length() && text.charAt(padding) == '=') {
      padding++;
    }
    int next = afterBlanks(padding);
    if (end == at || (next < text.length() && text.charAt(next) != ',')) {
      return null;
    }
    String token = text.substring(at, padding);
    at = padding;
    return token;
  }

  private static boolean isToken68(char c) {
    return Octets.isAlpha(c) || Octets.isDigit(c) || "-._~+/".indexOf(c) >= 0;
  }

  /** Whether a name and an equals sign come next, rather than another scheme or nothing. */
  private boolean isParameter() {
    int end = endOfToken();
    int equals = afterBlanks(end);
    return end > at && equals < text.length() && text.charAt(equals) == '=';
  }

  /** auth-param = token BWS "=" BWS ( token / quoted-string ), with the comma after it. */
  private void parameter(Map<String, String> parameters) {
    if (parameters.size() == MAX_PARAMETERS) {
      throw wrong("more than " + MAX_PARAMETERS + " parameters");
    }
    int start = at;
    String name = token("a parameter").toLowerCase(Locale.ROOT);
    skipBlanks();
    at++; // the equals sign
    skipBlanks();
    boolean quoted = at < text.length() && text.charAt(at) == '"';
    String value = quoted ? quotedString() : token("a parameter's value");
    if (parameters.putIfAbsent(name, value) != null) {
      at = start;
      throw wrong("the parameter " + name + " a second time");
    }
    endOfElement();
  }

  /** quoted-string (RFC 9110 section 5.6.4), without its quotes and backslashes. */
  private String quotedString() {
    StringBuilder value = new StringBuilder();
    int start = at++;
    while (at < text.length() && text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at++;
      }
      if (at < text.length()) {
        value.append(text.charAt(at++));
      }
    }
    if (at >= text.length()) {
      at = start;
      throw wrong("a quoted string without its end");
    }
    at++;
    return value.toString();
  }

  private String token(String what) {
    int end = endOfToken();
    if (end == at) {
      throw wrong("not " + what);
    }
    String token = text.substring(at, end);
    at = end;
    return token;
  }

  private int endOfToken() {
    int end = at;
    while (end < text.length() && Octets.isToken(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** A comma, or the end; a list may have empty elements (RFC 9110 section 5.6.1.2). */
  private void endOfElement() {
    skipBlanks();
    if (at < text.length() && text.charAt(at) != ',') {
      throw wrong("neither a comma nor the end");
    }
    skipCommas();
  }

  private void skipCommas() {
    skipBlanks();
    while (at < text.length() && text.charAt(at) == ',') {
      at++;
      skipBlanks();
    }
  }

  private void skipBlanks() {
    at = afterBlanks(at);
  }

  private int afterBlanks(int from) {
    int i = from;
    while (i < text.length() && Octets.isBlank(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at index " + at + " of a list of challenges");
  }
}
