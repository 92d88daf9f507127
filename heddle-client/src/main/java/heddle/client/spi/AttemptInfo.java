package heddle.client.spi;

/**
 * One attempt of a call: its request may be sent more than once, see {@link RetryPolicy}.
 *
 * @param call which call
 * @param number 1 for the first
 */
public record AttemptInfo(CallInfo call, int number) {}
