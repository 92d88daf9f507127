package heddle.bench.load;

/**
 * Requests that failed alike.
 *
 * @param cause what they have in common: the simple name of an exception, or {@code status 503}
 * @param count how many
 * @param example what the first of them said; empty when it said nothing
 */
public record ErrorCause(String cause, long count, String example) {}
