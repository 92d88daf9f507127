package heddle.client.spi;

import heddle.http.Headers;

/**
 * Adds fields to each attempt of a request, such as {@code traceparent}, whose value names the
 * attempt. Called on the thread that makes the call, right before the attempt is sent, by many
 * threads at the same time. What it throws is logged, and the request is sent without its fields.
 */
@FunctionalInterface
public interface AttemptFields {
  /**
   * The fields to set; each replaces existing fields of its name.
   *
   * @param attempt the one passed to {@link ExchangeListener#attemptStarted}
   */
  Headers fields(AttemptInfo attempt);
}
