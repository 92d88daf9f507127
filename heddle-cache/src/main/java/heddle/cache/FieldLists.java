package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields that hold comma-separated lists (RFC 9110 section 5.6.1). */
final class FieldLists {
  private FieldLists() {}

  /**
   * The elements of a list without the blanks around them; empty ones are left out. A comma within
   * quotes separates nothing; a quote without its end is an ordinary character.
   */
  static List<String> elements(String text) {
    List<String> elements = new ArrayList<>(4);
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      int c = i == text.length() ? ',' : text.charAt(i);
      if (c == ',') {
        String element = text.substring(start, i).strip();
        if (!element.isEmpty()) {
          elements.add(element);
        }
        start = i + 1;
      } else if (c == '"') {
        i = endOfQuoted(text, i);
      }
    }
    return elements;
  }

  /** The elements of all fields with this name. */
  static List<String> elements(Headers headers, HeaderName name) {
    int i = headers.indexOf(name, 0);
    if (i < 0) {
      return List.of();
    }
    List<String> elements = elements(headers.value(i));
    while ((i = headers.indexOf(name, i + 1)) >= 0) {
      elements.addAll(elements(headers.value(i)));
    }
    return elements;
  }

  /**
   * The value of a field such that fields which differ only in how a list is written are equal (RFC
   * 9111 section 4.1); null if it is missing.
   */
  static @Nullable String normalised(Headers headers, HeaderName name) {
    return headers.contains(name) ? String.join(",", elements(headers, name)) : null;
  }

  /** The index of the closing quote; that of the opening one if it is never closed. */
  private static int endOfQuoted(String text, int open) {
    for (int i = open + 1; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '"' -> {
          return i;
        }
        case '\\' -> i++;
        default -> {}
      }
    }
    return open;
  }
}
