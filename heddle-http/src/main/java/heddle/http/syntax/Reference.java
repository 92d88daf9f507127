package heddle.http.syntax;

import java.nio.charset.StandardCharsets;

/** References that are relative to a URL (RFC 3986 sections 4.1 and 5). */
public final class Reference {
  private Reference() {}

  /**
   * The URL that a reference means, without its fragment (RFC 3986 section 5.2). Nothing is checked
   * or percent-encoded: an invalid reference gives an invalid URL.
   *
   * @param target path and query of the base; if they do not begin with a slash, one is assumed
   */
  public static String resolve(String scheme, String authority, String target, String reference) {
    String base = target.startsWith("/") ? target : "/";
    int fragment = reference.indexOf('#');
    String rest = fragment < 0 ? reference : reference.substring(0, fragment);
    int afterScheme = endOfScheme(rest);
    if (afterScheme > 0) {
      // RFC 3986 §5.2.2, strict: a scheme makes it absolute, even if it is the base's.
      return rest.substring(0, afterScheme) + hierarchy(rest.substring(afterScheme));
    }
    if (rest.startsWith("//")) {
      return scheme + ":" + hierarchy(rest);
    }
    return scheme + "://" + authority + relative(base, rest);
  }

  private static String relative(String base, String reference) {
    int baseMark = base.indexOf('?');
    String basePath = baseMark < 0 ? base : base.substring(0, baseMark);
    int mark = reference.indexOf('?');
    String path = mark < 0 ? reference : reference.substring(0, mark);
    String query = mark < 0 ? "" : reference.substring(mark);
    if (path.isEmpty()) {
      boolean keepsQuery = mark < 0 && baseMark >= 0;
      return basePath + (keepsQuery ? base.substring(baseMark) : query);
    }
    String folder = basePath.substring(0, basePath.lastIndexOf('/') + 1);
    return withoutDots(path.startsWith("/") ? path : folder + path) + query;
  }

  /** The index after the colon of a scheme (RFC 3986 section 3.1); 0 if there is none. */
  private static int endOfScheme(String reference) {
    int colon = reference.indexOf(':');
    byte[] octets = reference.getBytes(StandardCharsets.ISO_8859_1);
    return colon > 0 && Octets.isScheme(octets, 0, colon) ? colon + 1 : 0;
  }

  /** What follows a scheme; without dot segments in its path if it has an authority. */
  private static String hierarchy(String rest) {
    if (!rest.startsWith("//")) {
      return rest;
    }
    int path = 2;
    while (path < rest.length() && rest.charAt(path) != '/' && rest.charAt(path) != '?') {
      path++;
    }
    int mark = rest.indexOf('?', path);
    int end = mark < 0 ? rest.length() : mark;
    return rest.substring(0, path) + withoutDots(rest.substring(path, end)) + rest.substring(end);
  }

  /** RFC 3986 section 5.2.4, for a path that is empty or begins with a slash. */
  private static String withoutDots(String path) {
    StringBuilder kept = new StringBuilder(path.length());
    int at = 0;
    while (at < path.length()) {
      int slash = path.indexOf('/', at + 1);
      int end = slash < 0 ? path.length() : slash;
      String segment = path.substring(at + 1, end);
      boolean last = slash < 0;
      switch (segment) {
        case "." -> kept.append(last ? "/" : "");
        case ".." -> {
          kept.setLength(Math.max(0, kept.lastIndexOf("/")));
          kept.append(last ? "/" : "");
        }
        default -> kept.append('/').append(segment);
      }
      at = end;
    }
    return kept.toString();
  }
}
