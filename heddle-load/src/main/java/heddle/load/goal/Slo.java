package heddle.load.goal;

import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A goal for one figure of a run, such as {@code p99<50ms}, {@code errors<0.1%} or {@code
 * ratio(heddle/okhttp,cpu)<0.5}.
 *
 * <pre>{@code
 * Slo slo = Slo.parse("p99<50ms");
 * Slo.Verdict verdict = slo.check(name -> figures.get(name));
 * }</pre>
 *
 * @param text the goal as it was written
 * @param figure the name of the figure, in lower case
 * @param comparison how the figure must compare with the bound
 * @param bound the bound in the unit: microseconds, a share from 0 to 1, or a number
 * @param unit the unit of the bound
 */
public record Slo(String text, String figure, Comparison comparison, double bound, Unit unit) {

  private static final Pattern FORM = Pattern.compile("(?<figure>[a-z][\\w.-]*(?:\\([^()]*\\))?)"
      + "\\s*(?<comparison><=|>=|<|>)\\s*"
      + "(?<bound>\\d{1,12}(?:\\.\\d{1,9})?)\\s*(?<unit>ns|us|µs|ms|s|m|%)?");

  /** How a figure compares with its bound. */
  public enum Comparison {
    BELOW("<"),
    AT_MOST("<="),
    ABOVE(">"),
    AT_LEAST(">=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    private static Comparison of(String sign) {
      for (Comparison each : values()) {
        if (each.sign.equals(sign)) {
          return each;
        }
      }
      throw new IllegalArgumentException("no comparison: " + sign);
    }

    private boolean holds(double value, double bound) {
      return switch (this) {
        case BELOW -> value < bound;
        case AT_MOST -> value <= bound;
        case ABOVE -> value > bound;
        case AT_LEAST -> value >= bound;
      };
    }
  }

  /**
   * The result of a goal.
   *
   * @param slo the goal
   * @param measured the measured value; NaN if nothing was measured
   * @param isMet whether the goal was met; false if nothing was measured
   */
  public record Verdict(Slo slo, double measured, boolean isMet) {

    /** Such as {@code p99<50ms missed: 61.25 ms}. */
    @Override
    public String toString() {
      return slo.text + (isMet ? " met: " : " missed: ") + readable();
    }

    private String readable() {
      if (Double.isNaN(measured)) {
        return "nothing was measured";
      }
      return switch (slo.unit) {
        case TIME -> String.format(Locale.ROOT, "%.3f ms", measured / 1e3);
        case SHARE -> String.format(Locale.ROOT, "%.3f%%", measured * 100);
        case NUMBER -> String.format(Locale.ROOT, "%.3f", measured);
      };
    }
  }

  /**
   * Reads a goal.
   *
   * @throws IllegalArgumentException if it is malformed; the message says what is allowed
   */
  public static Slo parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a goal: write a figure, one of"
          + " < <= > >=, and a bound, such as p99<50ms, errors<0.1% or rate>=1000");
    }
    double number = Double.parseDouble(form.group("bound"));
    String unit = form.group("unit");
    return new Slo(
        text.strip(),
        form.group("figure"),
        Comparison.of(form.group("comparison")),
        unit == null ? number : number * factor(unit),
        unit == null ? Unit.NUMBER : unit.equals("%") ? Unit.SHARE : Unit.TIME);
  }

  private static double factor(String unit) {
    return switch (unit) {
      case "ns" -> 1e-3;
      case "us", "µs" -> 1;
      case "ms" -> 1e3;
      case "s" -> 1e6;
      case "m" -> 60e6;
      case "%" -> 1e-2;
      default -> throw new IllegalArgumentException("no unit: " + unit);
    };
  }

  /**
   * Compares the goal with the measured value. Before a run, the same call with NaN figures checks
   * that the goal is valid.
   *
   * @param figures finds a figure by its name; returns null if there is none
   * @throws IllegalArgumentException if there is no such figure, or its unit differs
   */
  public Verdict check(Function<String, @Nullable Figure> figures) {
    Figure found = figures.apply(figure);
    if (found == null) {
      throw new IllegalArgumentException("'" + text + "': there is no figure " + figure);
    }
    if (found.unit() != unit) {
      throw new IllegalArgumentException("'" + text + "': " + figure
          + switch (found.unit()) {
            case TIME -> " is a time: write " + figure + "<50ms";
            case SHARE -> " is a share: write " + figure + "<0.1%";
            case NUMBER -> " is a number: write it without a unit";
          });
    }
    double value = found.value();
    return new Verdict(this, value, comparison.holds(value, bound));
  }
}
