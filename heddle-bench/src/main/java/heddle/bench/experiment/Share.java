package heddle.bench.experiment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rate that depends on what the clients have reached in another cell.
 *
 * @param part of the lowest rate that any client has reached there, above 0 and below 1
 * @param cell the other one
 */
public record Share(double part, String cell) {

  private static final Pattern WRITTEN =
      Pattern.compile("(?<percent>\\d{1,2})% of the slowest in (?<cell>[a-z0-9.-]+)");

  /** Reads {@code 70% of the slowest in paced-10k}; null if it is something else. */
  static @Nullable Share read(String text) {
    Matcher share = WRITTEN.matcher(text);
    return share.matches() && Integer.parseInt(share.group("percent")) > 0
        ? new Share(Integer.parseInt(share.group("percent")) / 100.0, share.group("cell"))
        : null;
  }

  /** As it is written. */
  @Override
  public String toString() {
    return Math.round(100 * part) + "% of the slowest in " + cell;
  }
}
