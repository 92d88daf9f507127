package heddle.http.syntax;

import java.util.Objects;

/** URLs with placeholders in braces, for whose values there are arguments in their order. */
public final class UrlTemplate {
  private UrlTemplate() {}

  /**
   * The template with each placeholder replaced by a value, in which only unreserved characters
   * stay as they are (RFC 6570, level 1), so that a value can neither end a segment nor add a
   * parameter.
   *
   * @throws IllegalArgumentException if there are more or fewer values than placeholders, or if a
   *     value is a whole segment of the path and empty, {@code .} or {@code ..}: it would address
   *     another resource
   */
  public static String expand(String template, Object... values) {
    StringBuilder url = new StringBuilder(template.length() + 16 * values.length);
    int used = 0;
    int at = 0;
    for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
      int close = template.indexOf('}', open);
      if (close < 0) {
        throw new SyntaxException(open, "the placeholder at index " + open + " has no '}'")
            .pointingInto(template);
      }
      String placeholder = template.substring(open, close + 1);
      checkName(template, open, close);
      if (used == values.length) {
        throw new IllegalArgumentException("there is no value for " + placeholder);
      }
      Object value = Objects.requireNonNull(values[used], () -> "the value of " + placeholder);
      String text = value.toString();
      if (isWholeSegment(template, open, close) && isMisleading(text)) {
        throw new IllegalArgumentException(
            "the value of " + placeholder + " is " + Octets.quote(text)
                + ", which is no segment of a path: it would address another resource");
      }
      url.append(template, at, open).append(Iri.encode(text));
      used++;
      at = close + 1;
    }
    if (used < values.length) {
      throw new IllegalArgumentException(
          "values given: %d, but placeholders such as {id}: %d".formatted(values.length, used));
    }
    return url.append(template, at, template.length()).toString();
  }

  /** The path of a template of an absolute URL, with its placeholders. */
  public static String path(String template) {
    int authority = template.indexOf("://") + 3;
    int from = authority;
    while (from < template.length() && "/?#".indexOf(template.charAt(from)) < 0) {
      from++;
    }
    int to = from;
    while (to < template.length() && "?#".indexOf(template.charAt(to)) < 0) {
      to++;
    }
    return to == from ? "/" : template.substring(from, to);
  }

  private static void checkName(String template, int open, int close) {
    for (int i = open + 1; i < close; i++) {
      int c = template.charAt(i);
      if (!Octets.isUnreserved(c)) {
        throw new SyntaxException(
                i,
                Octets.describe(c) + " at index " + i + " may not stand in the name of a"
                    + " placeholder: use letters, digits and hyphens")
            .pointingInto(template);
      }
    }
  }

  /** Whether the placeholder is all between two slashes of the path. */
  private static boolean isWholeSegment(String template, int open, int close) {
    int query = template.indexOf('?');
    boolean inPath = query < 0 || open < query;
    boolean begins = open > 0 && template.charAt(open - 1) == '/';
    boolean ends = close + 1 == template.length() || "/?#".indexOf(template.charAt(close + 1)) >= 0;
    return inPath && begins && ends;
  }

  private static boolean isMisleading(String segment) {
    return segment.isEmpty() || segment.equals(".") || segment.equals("..");
  }
}
