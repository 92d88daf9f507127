package heddle.web.files;

import heddle.http.syntax.Octets;
import heddle.http.syntax.PercentDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A path below the root, decoded once, whose segments name files and nothing else: no segment can
 * lead out of its folder on any system that Java runs on.
 *
 * @param segments decoded; none is empty
 * @param isFolder whether the path ended with a slash
 */
record FilePath(List<String> segments, boolean isFolder) {
  FilePath {
    segments = List.copyOf(segments);
  }

  /**
   * Reads a path with its escapes, as requests have it; a slash at its start may be missing.
   *
   * @param hidden the names with a dot before them that are allowed
   * @return null if the path is refused
   */
  static @Nullable FilePath parse(String escaped, Set<String> hidden) {
    List<String> segments = new ArrayList<>();
    int at = escaped.startsWith("/") ? 1 : 0;
    boolean isFolder = at == 1;
    while (at < escaped.length()) {
      int slash = escaped.indexOf('/', at);
      isFolder = slash >= 0;
      int end = isFolder ? slash : escaped.length();
      String segment = PercentDecoder.decode(escaped, at, end, false);
      if (segment == null || !isFileName(segment, hidden)) {
        return null;
      }
      segments.add(segment);
      at = isFolder ? slash + 1 : escaped.length();
    }
    return new FilePath(segments, isFolder);
  }

  /** The path of something in this folder. */
  FilePath child(String name) {
    List<String> longer = new ArrayList<>(segments);
    longer.add(name);
    return new FilePath(longer, false);
  }

  /** With an ending added to the last segment. */
  FilePath withSuffix(String suffix) {
    List<String> changed = new ArrayList<>(segments);
    changed.set(changed.size() - 1, name() + suffix);
    return new FilePath(changed, false);
  }

  /** The last segment; empty for the root. */
  String name() {
    return segments.isEmpty() ? "" : segments.get(segments.size() - 1);
  }

  /** The path with slashes between its segments. */
  @Override
  public String toString() {
    return String.join("/", segments);
  }

  private static boolean isFileName(String segment, Set<String> hidden) {
    if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
      return false;
    }
    if (segment.charAt(0) == '.' && !hidden.contains(segment)) {
      return false;
    }
    char last = segment.charAt(segment.length() - 1);
    if (last == '.' || last == ' ') {
      return false; // Windows opens the file without them
    }
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      boolean illegal = c < ' ' || c == 0x7F || c == '/' || c == '\\' || c == ':';
      if (illegal || isShortName(segment, i)) {
        return false;
      }
    }
    return true;
  }

  /** A tilde and a digit: Windows has short names such as {@code GIT~1} for {@code .git}. */
  private static boolean isShortName(String segment, int at) {
    return segment.charAt(at) == '~'
        && at + 1 < segment.length()
        && Octets.isDigit(segment.charAt(at + 1));
  }
}
