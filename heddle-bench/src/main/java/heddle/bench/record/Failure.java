package heddle.bench.record;

/**
 * How a request failed.
 *
 * @param kind what it is called
 * @param phase where in the call it was, such as {@code connect}; empty where nobody knows
 * @param cause what tells it from others: the simple name of an exception, or {@code status 503}
 * @param text what the failure said; empty when it said nothing
 */
public record Failure(FailureKind kind, String phase, String cause, String text) {}
