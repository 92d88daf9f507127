package heddle.cookies;

/**
 * How many cookies a store keeps. Beyond that, the least recently sent ones are removed.
 *
 * @param perSite per registrable domain, such as {@code example.co.uk}; at least 1
 * @param total for all domains; at least {@code perSite}
 */
public record CookieLimits(int perSite, int total) {
  /** 180 per registrable domain, and 3,000 in total. */
  public static final CookieLimits DEFAULTS = new CookieLimits(180, 3000);

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public CookieLimits {
    if (perSite < 1 || total < perSite) {
      throw new IllegalArgumentException("perSite must be at least 1 and total at least perSite,"
          + " but they were " + perSite + " and " + total);
    }
  }
}
