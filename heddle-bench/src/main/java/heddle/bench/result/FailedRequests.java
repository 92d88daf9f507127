package heddle.bench.result;

import heddle.bench.record.Failure;

/**
 * Requests that failed alike: in kind, phase and cause.
 *
 * @param count how many
 * @param first how the first of them failed; its text is an example of what they said
 */
public record FailedRequests(long count, Failure first) {}
