package heddle.load.goal;

/**
 * A measured value.
 *
 * @param value the value in its unit; NaN if nothing was measured
 * @param unit the unit
 */
public record Figure(double value, Unit unit) {}
