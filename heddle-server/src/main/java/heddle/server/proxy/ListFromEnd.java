package heddle.server.proxy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a field's list (RFC 9110 section 5.6.1) from the last to the first, without empty
 * ones. Read backwards, so that nothing that stands before an element can change how it is read:
 * what a proxy appends stays as it is, whatever the client has sent.
 */
final class ListFromEnd {
  private final List<String> lines;
  private int line;
  private int end; // in the line: where the element ends that is next

  /** A list whose field has these lines. */
  ListFromEnd(List<String> lines) {
    this.lines = lines;
    this.line = lines.size() - 1;
    this.end = lines.isEmpty() ? -1 : lines.getLast().length();
  }

  /** The element before the one that was returned last, or null. */
  @Nullable
  String previous() {
    while (line >= 0) {
      String text = lines.get(line);
      int comma = commaBefore(text, end);
      String element = text.substring(comma + 1, end).strip();
      end = comma;
      if (comma < 0) {
        line--;
        end = line < 0 ? -1 : lines.get(line).length();
      }
      if (!element.isEmpty()) {
        return element;
      }
    }
    return null;
  }

  /** The index of the last comma outside of quotes, or -1. */
  private static int commaBefore(String text, int end) {
    boolean quoted = false;
    for (int i = end - 1; i >= 0; i--) {
      char c = text.charAt(i);
      if (c == '"' && !isEscaped(text, i)) {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isEscaped(String text, int index) {
    int i = index;
    while (i > 0 && text.charAt(i - 1) == '\\') {
      i--;
    }
    return (index - i) % 2 == 1;
  }
}
