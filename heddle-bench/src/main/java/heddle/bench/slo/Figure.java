package heddle.bench.slo;

/**
 * Something that was measured.
 *
 * @param value in its unit; not a number where nothing was measured
 * @param unit what it is measured in
 */
public record Figure(double value, Unit unit) {}
