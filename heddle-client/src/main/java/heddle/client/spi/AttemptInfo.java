package heddle.client.spi;

import heddle.client.settings.RetryPolicy;
import heddle.http.Request;

/**
 * One attempt of a call: its request may be sent more than once, see {@link RetryPolicy}, and steps
 * of the call may send further requests, see {@link Interceptor}.
 *
 * @param call which call
 * @param number 1 for the first attempt of the call; it counts on when steps send another request
 * @param request the request that is sent: the caller's, or the one that steps of the call made
 */
public record AttemptInfo(CallInfo call, int number, Request request) {}
