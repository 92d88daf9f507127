package heddle.bench.experiment;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with units, as in experiments. A number followed by {@code scaled} is that of the
 * published size, and is multiplied by the scale; {@code scaled, at least 10} has a lower bound.
 *
 * <p>All methods throw {@link IllegalArgumentException} if the text is malformed; the message says
 * what is allowed.
 */
final class Quantity {

  private static final Pattern SCALED =
      Pattern.compile("(?<full>.+?)(?<scaled>\\s+scaled(?:,\\s*at least\\s+(?<least>.+))?)?");
  private static final Pattern NUMBER = Pattern.compile("(?<n>\\d{1,12}(?:\\.\\d{1,9})?)");
  private static final Pattern WITH_UNIT =
      Pattern.compile("(?<n>\\d{1,9}(?:\\.\\d{1,9})?)\\s*(?<unit>[A-Za-z]+)");
  private static final Pattern RATE = Pattern.compile("(?<n>\\d{1,7}(?:\\.\\d{1,6})?)\\s*/\\s*s");

  private static final Map<String, Long> NANOS = Map.of(
      "ms", 1_000_000L, "s", 1_000_000_000L, "min", 60_000_000_000L, "h", 3_600_000_000_000L);
  private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20);

  private Quantity() {}

  /** Reads a plain number. */
  @FunctionalInterface
  private interface Reading {
    BigDecimal of(String text);
  }

  /**
   * A whole number, scaled or not. It is rounded up, so that scaled connections with scaled numbers
   * of streams always have room for all scaled requests.
   */
  static long count(String text, double scale) {
    BigDecimal found = scaled(text, scale, Quantity::plain);
    return found.setScale(0, RoundingMode.CEILING).longValueExact();
  }

  /** A time such as {@code 500 ms}, {@code 10 s scaled} or {@code 2 min}. */
  static Duration time(String text, double scale) {
    BigDecimal nanos = scaled(
        text, scale, each -> withUnit(each, NANOS, "a time such as 500 ms, 10 s, 2 min or 1 h"));
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
  }

  /** A size such as {@code 6 B}, {@code 64 KiB} or {@code 1 MiB}. */
  static int bytes(String text) {
    BigDecimal bytes = withUnit(text.strip(), BYTES, "a size such as 6 B, 64 KiB or 1 MiB");
    if (bytes.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
        || bytes.stripTrailingZeros().scale() > 0) {
      throw new IllegalArgumentException(
          "a size is a whole number of bytes below 2 GiB, not " + text);
    }
    return bytes.intValueExact();
  }

  /** A rate such as {@code 1000/s}. */
  static double rate(String text) {
    Matcher rate = RATE.matcher(text.strip());
    if (!rate.matches()) {
      throw new IllegalArgumentException(
          "it must be a rate such as 1000/s or 70% of the slowest in CELL, not " + text);
    }
    return Double.parseDouble(rate.group("n"));
  }

  private static BigDecimal scaled(String text, double scale, Reading reading) {
    Matcher parts = SCALED.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException("it is empty");
    }
    BigDecimal full = reading.of(parts.group("full"));
    if (parts.group("scaled") == null) {
      return full;
    }
    BigDecimal part = full.multiply(BigDecimal.valueOf(scale));
    String least = parts.group("least");
    return least == null ? part : part.max(reading.of(least));
  }

  private static BigDecimal plain(String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw new IllegalArgumentException(
          "it must be a number such as 64 or 11000 scaled, not " + text);
    }
    return new BigDecimal(text);
  }

  private static BigDecimal withUnit(String text, Map<String, Long> units, String allowed) {
    Matcher quantity = WITH_UNIT.matcher(text);
    Long unit = quantity.matches() ? units.get(quantity.group("unit")) : null;
    if (unit == null) {
      throw new IllegalArgumentException("it must be " + allowed + ", not " + text);
    }
    return new BigDecimal(quantity.group("n")).multiply(BigDecimal.valueOf(unit));
  }
}
