package heddle.client.spi;

import heddle.http.Headers;

/**
 * Adds fields to each attempt of a request, such as {@code traceparent}, whose value names the
 * attempt. Called on the thread that makes the call, right before the attempt is sent, by many
 * threads at the same time. What it throws is caught, logged and counted, and the request goes out
 * without.
 */
@FunctionalInterface
public interface AttemptFields {
  /**
   * The fields to set: each replaces those of its name.
   *
   * @param attempt as {@link ExchangeListener#attemptStarted} was told
   */
  Headers fields(AttemptInfo attempt);
}
