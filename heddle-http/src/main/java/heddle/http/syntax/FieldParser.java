package heddle.http.syntax;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Reads the value of a field from its start to its end, in the grammar of RFC 9110 section 5.6. */
public final class FieldParser {
  public final String text;
  private final String kind; // what the value is, with an article; for exceptions

  /** The index of the next char. */
  public int at;

  public FieldParser(String text, String kind) {
    this.text = text;
    this.kind = kind;
  }

  /** The char at an index, or -1 behind the end. */
  public int peek(int index) {
    return index < text.length() ? text.charAt(index) : -1;
  }

  public int peek() {
    return peek(at);
  }

  /** The index of the first char at or after {@code from} that is not one of these, or the end. */
  public int after(IntPredicate these, int from) {
    int i = from;
    while (i < text.length() && these.test(text.charAt(i))) {
      i++;
    }
    return i;
  }

  public void skipBlanks() {
    at = after(Octets::isBlank, at);
  }

  public void expect(char c) {
    if (peek() != c) {
      throw wrong("not '" + c + "'");
    }
    at++;
  }

  public String token(String what) {
    int start = at;
    at = after(Octets::isToken, start);
    if (at == start) {
      throw wrong("not " + what);
    }
    return text.substring(start, at);
  }

  /** The name of a parameter, in small letters. */
  public String name() {
    return token("a parameter").toLowerCase(Locale.ROOT);
  }

  /** A token, or a quoted-string without its quotes and backslashes (RFC 9110 section 5.6.4). */
  public String parameterValue() {
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

  public IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at index " + at + " of " + kind);
  }
}
