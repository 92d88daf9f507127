package heddle.bench.load;

import heddle.bench.record.FailureKind;

/**
 * Requests that failed alike.
 *
 * @param kind what it is called
 * @param phase where in the call it was, such as {@code connect}; empty where the client does not
 *     say
 * @param cause what they have in common: the simple name of an exception, or {@code status 503}
 * @param count how many
 * @param example what the first of them said; empty when it said nothing
 */
public record ErrorCause(
    FailureKind kind, String phase, String cause, long count, String example) {}
