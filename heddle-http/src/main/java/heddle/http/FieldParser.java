package heddle.http;

import heddle.http.syntax.Octets;
import java.util.Locale;
import java.util.function.IntPredicate;

/** Reads the value of a field from its start to its end, in the grammar of RFC 9110 section 5.6. */
final class FieldParser {
  final String text;
  private final String kind; // what the value is, with an article; for exceptions
  int at;

  FieldParser(String text, String kind) {
    this.text = text;
    this.kind = kind;
  }

  /** The char at an index, or -1 behind the end. */
  int peek(int index) {
    return index < text.length() ? text.charAt(index) : -1;
  }

  int peek() {
    return peek(at);
  }

  /** The index of the first char at or after {@code from} that is not one of these, or the end. */
  int after(IntPredicate these, int from) {
    int i = from;
    while (i < text.length() && these.test(text.charAt(i))) {
      i++;
    }
    return i;
  }

  void skipBlanks() {
    at = after(Octets::isBlank, at);
  }

  void expect(char c) {
    if (peek() != c) {
      throw wrong("not '" + c + "'");
    }
    at++;
  }

  String token(String what) {
    int start = at;
    at = after(Octets::isToken, start);
    if (at == start) {
      throw wrong("not " + what);
    }
    return text.substring(start, at);
  }

  /** The name of a parameter, in small letters. */
  String name() {
    return token("a parameter").toLowerCase(Locale.ROOT);
  }

  /** A token, or a quoted-string without its quotes and backslashes (RFC 9110 section 5.6.4). */
  String parameterValue() {
    if (peek() != '"') {
      return token("a parameter's value");
    }
    StringBuilder value = new StringBuilder();
    int start = at++;
    while (peek() != '"') {
      if (peek() == '\\') {
        at++;
      }
      int c = peek();
      if (c < 0) {
        at = start;
        throw wrong("a quoted string without its end");
      }
      if (!Octets.isFieldValue(c)) {
        throw wrong("an illegal character");
      }
      value.append((char) c);
      at++;
    }
    at++;
    return value.toString();
  }

  IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at index " + at + " of " + kind);
  }
}
