package heddle.cli.live;

import java.time.Duration;
import java.util.Locale;

/** Formats figures briefly. */
final class Amounts {

  private Amounts() {}

  /** A time in microseconds, to three digits: {@code 812 µs}, {@code 1.20 ms}. */
  static String latency(double micros) {
    if (micros < 999.5) {
      return String.format(Locale.ROOT, "%.0f µs", micros);
    }
    double millis = micros / 1e3;
    return millis < 999.5 ? threeDigits(millis) + " ms" : threeDigits(millis / 1e3) + " s";
  }

  private static String threeDigits(double value) {
    int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Such as {@code 14 s}, {@code 2 min 05 s} or {@code 1 h 02 min}. */
  static String span(Duration time) {
    long seconds = Math.round(time.toMillis() / 1e3);
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60)
        : String.format(Locale.ROOT, "%d h %02d min", seconds / 3600, seconds % 3600 / 60);
  }

  /** Bytes to three digits, such as {@code 812 B}, {@code 1.20 MB}. */
  static String size(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double scaled = bytes / 1e3;
    int unit = 0;
    while (scaled >= 999.5 && unit < 3) {
      scaled /= 1e3;
      unit++;
    }
    return threeDigits(scaled) + " " + "kMGT".charAt(unit) + "B";
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Such as {@code 41,234/s}; below 100 with one more digit. */
  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 99.95 ? "%.1f/s" : "%,.0f/s", perSecond);
  }
}
