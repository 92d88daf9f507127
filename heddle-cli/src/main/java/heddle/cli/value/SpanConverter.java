package heddle.cli.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 10s}, {@code 1.5m}, {@code 2h}; a plain number is in seconds. */
public final class SpanConverter implements ITypeConverter<Duration> {

  private static final Pattern SPAN =
      Pattern.compile("(?<amount>\\d{1,9}(?:\\.\\d{1,9})?)\\s*(?<unit>ms|s|m|h)?");

  @Override
  public Duration convert(String text) {
    Matcher span = SPAN.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!span.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time: write 500ms, 10s, 1.5m or 2h; a plain number is seconds");
    }
    String unit = span.group("unit");
    long nanosOfUnit =
        switch (unit == null ? "s" : unit) {
          case "ms" -> 1_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 1_000_000_000L;
        };
    BigDecimal nanos =
        new BigDecimal(span.group("amount")).multiply(BigDecimal.valueOf(nanosOfUnit));
    // Above Long.MAX_VALUE nanoseconds (292 years) a Duration of nanoseconds has no value.
    if (nanos.compareTo(BigDecimal.ONE) < 0
        || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new TypeConversionException("'" + text + "' is out of range: above 0, below 292 years");
    }
    return Duration.ofNanos(nanos.longValue());
  }
}
