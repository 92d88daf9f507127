package heddle.bench.page;

import java.util.Locale;

/**
 * The units of figures, and how values are formatted: with three significant digits and a suitable
 * prefix. The page's script formats them in the same way.
 */
enum Unit {
  /** Per second. */
  RATE,
  /** Microseconds. */
  MICROS,
  /** Milliseconds. */
  MILLIS,
  /** Seconds. */
  SECONDS,
  /** Bytes. */
  BYTES,
  /** A number of things. */
  COUNT,
  /** A share from 0 to 1, written as a percentage. */
  SHARE;

  private static final String[] PREFIXES = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** The value with its unit, such as {@code 1.32 ms}. */
  String show(double value) {
    return switch (this) {
      case RATE -> digits(value) + "/s";
      case MICROS -> micros(value);
      case MILLIS -> value == 0 ? "0 ms" : micros(value * 1_000);
      case SECONDS -> digits(value) + " s";
      case BYTES -> bytes(value);
      case COUNT -> digits(value);
      case SHARE -> value > 0 && value < 0.00005 ? "<0.01%" : digits(100 * value) + "%";
    };
  }

  private static String micros(double value) {
    if (value < 1_000) {
      return digits(value) + " µs";
    }
    return value < 1_000_000 ? digits(value / 1e3) + " ms" : digits(value / 1e6) + " s";
  }

  private static String bytes(double value) {
    double rest = value;
    int prefix = 0;
    while (rest >= 1_024 && prefix < PREFIXES.length - 1) {
      rest /= 1_024;
      prefix++;
    }
    return digits(rest) + " " + PREFIXES[prefix];
  }

  /** Such as {@code 0.52×}. */
  static String times(double ratio) {
    return (ratio < 10 ? String.format(Locale.ROOT, "%.2f", ratio) : digits(ratio)) + "×";
  }

  /** Such as {@code 0.49–0.55}. */
  static String span(double low, double high) {
    String from = times(low);
    return from.substring(0, from.length() - 1) + "–" + times(high);
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    if (size >= 99.95 || Math.abs(value - Math.rint(value)) < 1e-9) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", value);
  }
}
