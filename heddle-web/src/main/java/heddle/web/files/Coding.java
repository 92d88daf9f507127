package heddle.web.files;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The codings of files that were compressed beforehand, the preferred one first. */
enum Coding {
  BR("br", ".br"),
  ZSTD("zstd", ".zst"),
  GZIP("gzip", ".gz");

  /** Of identity where a request does not name it: less than any coding that it names. */
  private static final int LEAST = 1;

  private static final int MOST = 1000;
  private static final int MAX_ELEMENTS = 64;

  /** As Content-Encoding names it (RFC 9110 section 8.4.1). */
  final String token;

  /** What the name of the compressed file ends with. */
  final String suffix;

  Coding(String token, String suffix) {
    this.token = token;
    this.suffix = suffix;
  }

  /**
   * How much a request wants a coding, in thousandths (RFC 9110 section 12.5.3); 0 if not at all.
   *
   * @param coding null for identity
   */
  static int quality(Headers fields, @Nullable Coding coding) {
    List<String> values = fields.all(HeaderName.ACCEPT_ENCODING);
    int named = -1;
    int others = -1;
    for (String element : String.join(",", values).split(",", MAX_ELEMENTS)) {
      int semicolon = element.indexOf(';');
      String token = (semicolon < 0 ? element : element.substring(0, semicolon))
          .strip()
          .toLowerCase(Locale.ROOT);
      int quality =
          semicolon < 0 ? MOST : quality(element.substring(semicolon + 1).strip());
      if (isNamed(token, coding)) {
        named = Math.max(named, quality);
      } else if (token.equals("*")) {
        others = quality;
      }
    }
    if (named >= 0) {
      return named;
    }
    if (coding == null) {
      return others == 0 ? 0 : LEAST;
    }
    return Math.max(0, others);
  }

  private static boolean isNamed(String token, @Nullable Coding coding) {
    return coding == null
        ? token.equals("identity")
        : token.equals(coding.token) || (coding == GZIP && token.equals("x-gzip"));
  }

  /** A weight (RFC 9110 section 12.4.2) in thousandths; 0 if it is malformed. */
  private static int quality(String parameter) {
    String text = parameter.toLowerCase(Locale.ROOT).replaceAll("\\s*=\\s*", "=");
    if (!text.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
      return 0;
    }
    return (int) Math.round(Double.parseDouble(text.substring(2)) * MOST);
  }
}
