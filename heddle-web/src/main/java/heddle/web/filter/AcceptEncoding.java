package heddle.web.filter;

import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which content coding a client prefers, RFC 9110 §12.5.3. */
final class AcceptEncoding {
  private static final int UNNAMED = -1;
  private static final int FULL_WEIGHT = 1000;

  private final List<ContentCoding> codings;

  /** In thousandths, by index of the coding. */
  private final int[] weights;

  private int identity = UNNAMED;
  private int others = UNNAMED;

  private AcceptEncoding(List<ContentCoding> codings) {
    this.codings = codings;
    this.weights = new int[codings.size()];
    Arrays.fill(weights, UNNAMED);
  }

  /**
   * The coding with the highest weight, of equal ones the first; null if the client takes none of
   * them, or rather has content that is not coded. Elements that break the grammar are ignored.
   *
   * @param codings in the server's order of preference
   */
  static @Nullable ContentCoding choose(List<ContentCoding> codings, Headers request) {
    AcceptEncoding accepted = new AcceptEncoding(codings);
    for (String value : request.all(HeaderName.ACCEPT_ENCODING)) {
      for (String element : value.split(",", -1)) {
        accepted.read(element);
      }
    }
    return accepted.best();
  }

  private void read(String element) {
    int semicolon = element.indexOf(';');
    String name = (semicolon < 0 ? element : element.substring(0, semicolon)).strip();
    int weight =
        semicolon < 0 ? FULL_WEIGHT : weight(element.substring(semicolon + 1).strip());
    if (weight < 0) {
      return;
    }
    if (name.equals("*")) {
      others = Math.max(others, weight);
    } else if (name.equalsIgnoreCase("identity")) {
      identity = Math.max(identity, weight);
    } else {
      String coding = name.equalsIgnoreCase("x-gzip") ? "gzip" : name; // RFC 9110 §8.4.1.3
      for (int i = 0; i < weights.length; i++) {
        if (coding.equalsIgnoreCase(codings.get(i).name())) {
          weights[i] = Math.max(weights[i], weight);
        }
      }
    }
  }

  /** RFC 9110 §12.4.2: 0 to 1 with at most three decimals; -1 if it is anything else. */
  private static int weight(String parameter) {
    boolean named =
        parameter.length() > 2 && (parameter.charAt(0) | 0x20) == 'q' && parameter.charAt(1) == '=';
    String digits = named ? parameter.substring(2) : "";
    boolean one = !digits.isEmpty() && digits.charAt(0) == '1';
    boolean valid = (one || digits.startsWith("0"))
        && digits.length() <= 5
        && (digits.length() == 1 || digits.charAt(1) == '.');
    if (!valid) {
      return -1;
    }
    int weight = one ? FULL_WEIGHT : 0;
    int unit = FULL_WEIGHT / 10;
    for (int i = 2; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      weight += digit * unit;
      unit /= 10;
    }
    return weight > FULL_WEIGHT ? -1 : weight;
  }

  private @Nullable ContentCoding best() {
    int best = -1;
    int bestWeight = 0;
    for (int i = 0; i < weights.length; i++) {
      int weight = weights[i] == UNNAMED ? others : weights[i];
      if (weight > bestWeight) {
        best = i;
        bestWeight = weight;
      }
    }
    return best < 0 || identity > bestWeight ? null : codings.get(best);
  }
}
