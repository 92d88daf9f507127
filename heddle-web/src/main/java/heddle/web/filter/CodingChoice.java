package heddle.web.filter;

import heddle.http.ContentCoding;
import heddle.http.Headers;
import heddle.web.syntax.AcceptEncoding;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Chooses the content coding of a response, RFC 9110 §12.5.3. */
final class CodingChoice {
  private CodingChoice() {}

  /**
   * The coding with the highest weight, of equal ones the first; null if the client takes none of
   * them, or rather has content that is not coded.
   *
   * @param codings in the server's order of preference
   */
  static @Nullable ContentCoding of(List<ContentCoding> codings, Headers request) {
    AcceptEncoding accepted = AcceptEncoding.of(request);
    ContentCoding best = null;
    int bestWeight = 0;
    for (ContentCoding coding : codings) {
      int weight = accepted.weight(coding.name().toLowerCase(Locale.ROOT));
      if (weight > bestWeight) {
        best = coding;
        bestWeight = weight;
      }
    }
    return accepted.named("identity") > bestWeight ? null : best;
  }
}
