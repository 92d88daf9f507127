package heddle.load;

import heddle.load.record.FailureKind;

/**
 * Requests that failed in the same way.
 *
 * @param kind the kind of failure
 * @param phase the phase of the call, such as {@code connect}; empty if the client does not say
 * @param cause the common cause: the simple name of an exception, or {@code status 503}
 * @param count the number of requests
 * @param example the message of the first one; may be empty
 */
public record ErrorCause(
    FailureKind kind, String phase, String cause, long count, String example) {}
