package heddle.web.syntax;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Which content codings a client prefers, RFC 9110 §12.5.3. Weights are in thousandths. */
public final class AcceptEncoding {
  private static final String OTHERS = "*";

  private final Map<String, Integer> weights = new HashMap<>();

  private AcceptEncoding() {}

  /** What these fields of a request say. Elements that break the grammar are ignored. */
  public static AcceptEncoding of(Headers request) {
    AcceptEncoding accepted = new AcceptEncoding();
    for (String value : request.all(HeaderName.ACCEPT_ENCODING)) {
      for (String element : value.split(",", -1)) {
        accepted.read(element);
      }
    }
    return accepted;
  }

  private void read(String element) {
    int semicolon = element.indexOf(';');
    String name = (semicolon < 0 ? element : element.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT);
    int weight =
        semicolon < 0 ? Weight.FULL : weightOf(element.substring(semicolon + 1).strip());
    if (weight >= 0) {
      String coding = name.equals("x-gzip") ? "gzip" : name; // RFC 9110 §8.4.1.3
      weights.merge(coding, weight, Math::max);
    }
  }

  private static int weightOf(String parameter) {
    return parameter.regionMatches(true, 0, "q=", 0, 2) ? Weight.parse(parameter.substring(2)) : -1;
  }

  /** The weight of a coding in lower case that is named, {@code identity} too; -1 if it is not. */
  public int named(String coding) {
    return weights.getOrDefault(coding, -1);
  }

  /** The weight of all codings that are not named; -1 if there is none. */
  public int others() {
    return named(OTHERS);
  }

  /** The weight of a coding in lower case; 0 if the client does not take it. */
  public int weight(String coding) {
    int named = named(coding);
    return Math.max(0, named >= 0 ? named : others());
  }
}
