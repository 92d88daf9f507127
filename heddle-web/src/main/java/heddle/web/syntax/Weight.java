package heddle.web.syntax;

/** The weights of what a client prefers (RFC 9110 §12.4.2), in thousandths. */
public final class Weight {
  /** Of what has no weight. */
  public static final int FULL = 1000;

  private Weight() {}

  /** From 0 to 1 with at most three decimals, in thousandths; -1 if it is anything else. */
  public static int parse(String digits) {
    boolean one = digits.startsWith("1");
    boolean formed = (one || digits.startsWith("0"))
        && digits.length() <= 5
        && (digits.length() == 1 || digits.charAt(1) == '.');
    if (!formed) {
      return -1;
    }
    int weight = one ? FULL : 0;
    int unit = FULL / 10;
    for (int i = 2; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      weight += digit * unit;
      unit /= 10;
    }
    return weight > FULL ? -1 : weight;
  }
}
