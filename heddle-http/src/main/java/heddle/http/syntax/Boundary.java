package heddle.http.syntax;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What separates the parts of a multipart body (RFC 2046 section 5.1.1). */
public final class Boundary {
  /** The most characters that a boundary may have. */
  public static final int MAX_LENGTH = 70;

  private static final String MARKS = "'()+_,-./:=? ";

  private Boundary() {}

  /** Whether RFC 2046 allows this boundary. */
  public static boolean isLegal(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_LENGTH
        && !text.endsWith(" ")
        && text.chars()
            .allMatch(c -> Octets.isAlpha(c) || Octets.isDigit(c) || MARKS.indexOf(c) >= 0);
  }

  /** A new one of 128 random bits: it occurs in no part by chance, and no attacker can guess it. */
  public static String random() {
    byte[] octets = new byte[16];
    Random.SOURCE.nextBytes(octets);
    return "heddle-" + HexFormat.of().formatHex(octets);
  }

  /** Loaded with the first boundary: a secure random generator is costly to start. */
  private static final class Random {
    static final SecureRandom SOURCE = new SecureRandom();
  }
}
