package heddle.web;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.syntax.FieldParser;
import heddle.http.syntax.Octets;
import heddle.web.syntax.Weight;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What media types a client prefers: its Accept fields (RFC 9110 section 12.5.1). */
final class Accept {
  private static final String ANY = "*";

  private final List<Range> ranges;

  private Accept(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** A range and its weight in thousandths. */
  private record Range(String type, String subtype, Map<String, String> parameters, int weight) {
    /** How exactly this names the media type; -1 if it does not match. */
    int precision(MediaType offered) {
      if (type.equals(ANY)) {
        return 0;
      }
      if (!type.equals(offered.type())) {
        return -1;
      }
      if (subtype.equals(ANY)) {
        return 1;
      }
      if (!subtype.equals(offered.subtype())) {
        return -1;
      }
      for (Map.Entry<String, String> each : parameters.entrySet()) {
        String value = offered.parameter(each.getKey());
        if (value == null || !value.equalsIgnoreCase(each.getValue())) {
          return -1;
        }
      }
      return 2 + parameters.size();
    }
  }

  /** What these fields say; all is acceptable if there are none, or one is malformed. */
  static Accept of(Headers headers) {
    List<Range> ranges = new ArrayList<>();
    try {
      for (int i = headers.indexOf(HeaderName.ACCEPT, 0);
          i >= 0;
          i = headers.indexOf(HeaderName.ACCEPT, i + 1)) {
        parse(new FieldParser(headers.value(i), "Accept"), ranges);
      }
    } catch (IllegalArgumentException malformed) {
      return new Accept(List.of());
    }
    return new Accept(ranges);
  }

  private static void parse(FieldParser in, List<Range> ranges) {
    while (true) {
      in.skipBlanks();
      // RFC 9110 section 5.6.1.2: elements of a list may be empty.
      if (in.peek() >= 0 && in.peek() != ',') {
        ranges.add(range(in));
      }
      if (in.peek() < 0) {
        return;
      }
      in.expect(',');
    }
  }

  private static Range range(FieldParser in) {
    String type = in.token("a type").toLowerCase(Locale.ROOT);
    in.expect('/');
    String subtype = in.token("a subtype").toLowerCase(Locale.ROOT);
    if (type.equals(ANY) && !subtype.equals(ANY)) {
      throw in.wrong("a subtype of all types");
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    int weight = -1;
    in.skipBlanks();
    while (in.peek() == ';') {
      in.at++;
      in.skipBlanks();
      if (Octets.isToken(in.peek())) {
        String name = in.name();
        // What follows the weight was an extension of RFC 7231, and need not have a value.
        String value = in.peek() == '=' || weight < 0 ? value(in) : "";
        if (weight < 0 && name.equals("q")) {
          weight = weight(value, in);
        } else if (weight < 0) {
          parameters.putIfAbsent(name, value);
        }
        in.skipBlanks();
      }
    }
    return new Range(type, subtype, parameters, weight < 0 ? Weight.FULL : weight);
  }

  private static String value(FieldParser in) {
    in.expect('=');
    return in.parameterValue();
  }

  private static int weight(String value, FieldParser in) {
    int weight = Weight.parse(value);
    if (weight < 0) {
      throw in.wrong("a malformed weight");
    }
    return weight;
  }

  /** The media type with the most weight, the first one of several; null if all have none. */
  @Nullable
  MediaType best(MediaType... offered) {
    MediaType best = null;
    int most = 0;
    for (MediaType each : offered) {
      int weight = weight(each);
      if (weight > most) {
        best = each;
        most = weight;
      }
    }
    return best;
  }

  /** The weight of the range that names it most exactly. */
  private int weight(MediaType offered) {
    if (ranges.isEmpty()) {
      return Weight.FULL;
    }
    int weight = 0;
    int precision = -1;
    for (Range each : ranges) {
      int own = each.precision(offered);
      if (own > precision) {
        precision = own;
        weight = each.weight;
      }
    }
    return weight;
  }
}
