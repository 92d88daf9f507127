package heddle.cli.value;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 2026-05-01T12:00:00Z}, seconds since 1970 such as {@code 1777636800.5}, and {@code
 * +10s} from now.
 */
public final class StartTime implements ITypeConverter<Instant> {

  /** Tolerates the time that a command takes to start; the load then begins at once. */
  private static final Duration TOLERANCE = Duration.ofSeconds(1);

  private static final Pattern EPOCH = Pattern.compile("\\d{1,11}(?:\\.\\d{1,9})?");

  @Override
  public Instant convert(String text) {
    String written = text.strip();
    try {
      if (written.startsWith("+")) {
        return Instant.now().plus(new SpanConverter().convert(written.substring(1)));
      }
      if (EPOCH.matcher(written).matches()) {
        BigDecimal nanos = new BigDecimal(written).movePointRight(9);
        return Instant.EPOCH.plusNanos(nanos.longValueExact());
      }
      return OffsetDateTime.parse(written).toInstant();
    } catch (DateTimeException | ArithmeticException | TypeConversionException e) {
      throw new TypeConversionException("'" + text + "' is not a start time: write"
          + " 2026-05-01T12:00:00Z, seconds since 1970, or +10s");
    }
  }

  /**
   * Throws {@link IllegalArgumentException} if the time has passed by more than a command takes to
   * start.
   */
  public static void requireToCome(Instant time, Instant now) {
    Duration passed = Duration.between(time, now);
    if (passed.compareTo(TOLERANCE) > 0) {
      throw new IllegalArgumentException("--start-at " + time + " was " + passed.toMillis() / 1e3
          + " s ago by the clock of this machine, which says " + now
          + ": give a later time, and check that the clocks of all machines agree");
    }
  }
}
