package heddle.client.spi;

import heddle.http.Request;

/**
 * One attempt of a call: its request may be sent more than once, see {@link RetryPolicy}, and steps
 * of the call may go on with another one, see {@link Interceptor}.
 *
 * @param call which call
 * @param number 1 for the first of the call, whatever became of its request
 * @param request what is sent: the call's own, or what its steps have made of it
 */
public record AttemptInfo(CallInfo call, int number, Request request) {}
