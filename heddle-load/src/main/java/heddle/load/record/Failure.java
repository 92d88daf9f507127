package heddle.load.record;

/**
 * How a request failed.
 *
 * @param kind the kind of failure
 * @param phase the phase of the call, such as {@code connect}; empty if unknown
 * @param cause the distinguishing cause: the simple name of an exception, or {@code status 503}
 * @param text the message of the failure; may be empty
 */
public record Failure(FailureKind kind, String phase, String cause, String text) {}
