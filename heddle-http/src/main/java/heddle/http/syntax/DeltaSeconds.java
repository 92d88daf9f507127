package heddle.http.syntax;

/** A time as fields state it: a whole number of seconds (RFC 9111 section 1.2.2). */
public final class DeltaSeconds {
  /** What each number means that is as great or greater: 2^31. */
  public static final long MAX = 1L << 31;

  /** For a text that is no such number. */
  public static final long MALFORMED = -1;

  private DeltaSeconds() {}

  /** The number that the text consists of, 0 to {@link #MAX}, or {@link #MALFORMED}. */
  public static long parse(String text) {
    long seconds = text.isEmpty() ? MALFORMED : 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Octets.isDigit(c)) {
        return MALFORMED;
      }
      seconds = Math.min(MAX, seconds * 10 + c - '0');
    }
    return seconds;
  }
}
