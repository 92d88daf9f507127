package heddle.http;

import heddle.http.syntax.FieldParser;
import heddle.http.syntax.Octets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value of WWW-Authenticate or Proxy-Authenticate (RFC 9110 section 11.6.1). A comma ends
 * a parameter or a challenge; what follows decides which: a name with an equals sign is a further
 * parameter, anything else the next challenge's scheme.
 */
final class ChallengeParser {
  private static final int MAX_CHALLENGES = 16;
  private static final int MAX_PARAMETERS = 32;

  private final FieldParser in;

  ChallengeParser(String text) {
    in = new FieldParser(text, "a list of challenges");
  }

  /** All challenges, at least one; to be called once. */
  List<Challenge> parse() {
    List<Challenge> challenges = new ArrayList<>();
    skipCommas();
    do {
      if (challenges.size() == MAX_CHALLENGES) {
        throw in.wrong("more than " + MAX_CHALLENGES + " challenges");
      }
      challenges.add(challenge());
    } while (in.peek() >= 0);
    return List.copyOf(challenges);
  }

  /** challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ], with the comma after it. */
  private Challenge challenge() {
    String scheme = in.token("a scheme");
    Map<String, String> parameters = new LinkedHashMap<>();
    String token68 = null;
    boolean spaced = in.peek() == ' ';
    in.skipBlanks();
    if (spaced) {
      token68 = token68();
      while (token68 == null && isParameter()) {
        parameter(parameters);
      }
    }
    if (token68 != null || parameters.isEmpty()) {
      endOfElement();
    }
    return new Challenge(scheme, token68, parameters);
  }

  /** token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="; null if it is none. */
  private @Nullable String token68() {
    int end = in.after(ChallengeParser::isToken68, in.at);
    int padding = in.after(c -> c == '=', end);
    int next = in.peek(in.after(Octets::isBlank, padding));
    if (end == in.at || (next >= 0 && next != ',')) {
      return null;
    }
    String token = in.text.substring(in.at, padding);
    in.at = padding;
    return token;
  }

  private static boolean isToken68(int c) {
    return Octets.isAlpha(c) || Octets.isDigit(c) || "-._~+/".indexOf(c) >= 0;
  }

  /** Whether a name and an equals sign come next, rather than another scheme or nothing. */
  private boolean isParameter() {
    int end = in.after(Octets::isToken, in.at);
    return end > in.at && in.peek(in.after(Octets::isBlank, end)) == '=';
  }

  /** auth-param = token BWS "=" BWS ( token / quoted-string ), with the comma after it. */
  private void parameter(Map<String, String> parameters) {
    if (parameters.size() == MAX_PARAMETERS) {
      throw in.wrong("more than " + MAX_PARAMETERS + " parameters");
    }
    int start = in.at;
    String name = in.name();
    in.skipBlanks();
    in.expect('=');
    in.skipBlanks();
    if (parameters.putIfAbsent(name, in.parameterValue()) != null) {
      in.at = start;
      throw in.wrong("the parameter " + name + " a second time");
    }
    endOfElement();
  }

  /** A comma, or the end; a list may have empty elements (RFC 9110 section 5.6.1.2). */
  private void endOfElement() {
    in.skipBlanks();
    if (in.peek() >= 0 && in.peek() != ',') {
      throw in.wrong("neither a comma nor the end");
    }
    skipCommas();
  }

  private void skipCommas() {
    in.at = in.after(c -> c == ',' || Octets.isBlank(c), in.at);
  }
}
