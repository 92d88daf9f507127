package heddle.cookies;

/**
 * How many cookies a store keeps. Beyond, those go that were not sent for the longest time.
 *
 * @param perSite for all hosts of one registrable domain, such as {@code example.co.uk}; 1 or more
 * @param total at least as many
 */
public record CookieLimits(int perSite, int total) {
  /** 180 for each registrable domain, and 3,000 in all. */
  public static final CookieLimits DEFAULTS = new CookieLimits(180, 3000);

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public CookieLimits {
    if (perSite < 1 || total < perSite) {
      throw new IllegalArgumentException("a store keeps at least one cookie for each site, and not"
          + " fewer in all: not " + perSite + " and " + total);
    }
  }
}
