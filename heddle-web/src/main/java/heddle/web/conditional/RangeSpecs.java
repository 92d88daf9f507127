package heddle.web.conditional;

import heddle.http.syntax.FieldParser;
import heddle.http.syntax.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a ranges-specifier (RFC 9110 section 14.1.1). */
final class RangeSpecs {
  private static final String UNIT = "bytes=";
  private static final int MAX_DIGITS = 18; // fits into a long; more is behind any end

  private final FieldParser in;

  RangeSpecs(String text) {
    in = new FieldParser(text, "Range");
  }

  /**
   * First and last offset of each range, where a first of -1 makes a suffix of the other; null if
   * the field is to be ignored.
   */
  @Nullable
  List<long[]> parse() {
    if (!in.text.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
      return null;
    }
    in.at = UNIT.length();
    List<long[]> specs = new ArrayList<>();
    while (in.peek() >= 0) {
      in.skipBlanks();
      if (in.peek() != ',' && in.peek() >= 0) {
        long[] spec = next();
        if (spec == null || specs.size() == ByteRanges.MAX_RANGES) {
          return null;
        }
        specs.add(spec);
        in.skipBlanks();
      }
      if (in.peek() >= 0 && in.peek() != ',') {
        return null;
      }
      in.at++;
    }
    return specs.isEmpty() ? null : specs;
  }

  private long @Nullable [] next() {
    long first = number();
    if (in.peek() != '-') {
      return null;
    }
    in.at++;
    long last = number();
    if (first < 0 ? last < 0 : last >= 0 && last < first) {
      return null;
    }
    return new long[] {first, last < 0 ? Long.MAX_VALUE : last};
  }

  /** A number, the largest possible if it has too many digits; -1 if there is none. */
  private long number() {
    int start = in.at;
    in.at = in.after(Octets::isDigit, start);
    String digits = in.text.substring(start, in.at);
    if (digits.isEmpty()) {
      return -1;
    }
    return digits.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
