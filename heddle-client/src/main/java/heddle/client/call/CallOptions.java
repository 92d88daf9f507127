package heddle.client.call;

import heddle.client.spi.AttemptFields;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.RetryBudget;
import heddle.client.spi.RetryPolicy;
import heddle.connection.MinimumRate;
import heddle.http.HeaderName;
import heddle.http.Status;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a client makes its calls.
 *
 * @param timeouts how long the parts of a call may take
 * @param minResponseRate how fast the content of a response must come
 * @param retries when a request is sent again
 * @param budget how often, for each route
 * @param deadlineHeader the field in which a server is told how many milliseconds the call has left
 *     when it is sent; null for none
 * @param closesAfter after which statuses a connection of HTTP/1.1 serves no other call; null for
 *     after none
 * @param expectContinueFrom from how many bytes on content waits for 100 (Continue), as content of
 *     unknown length does then too; {@link #NEVER} where only requests wait that say so
 * @param fields add fields to each attempt, one after the other
 * @param listeners look on
 */
public record CallOptions(
    Timeouts timeouts,
    MinimumRate minResponseRate,
    RetryPolicy retries,
    RetryBudget budget,
    @Nullable HeaderName deadlineHeader,
    @Nullable Predicate<Status> closesAfter,
    long expectContinueFrom,
    List<AttemptFields> fields,
    List<ExchangeListener> listeners) {
  /** More bytes than any content has. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The default timeouts, policy and budget, and nobody who looks on. */
  public static final CallOptions DEFAULTS = new CallOptions(
      Timeouts.DEFAULTS,
      MinimumRate.OFF,
      RetryPolicy.provablySafe(),
      RetryBudget.DEFAULT,
      null,
      null,
      NEVER,
      List.of(),
      List.of());

  public CallOptions {
    fields = List.copyOf(fields);
    listeners = List.copyOf(listeners);
  }

  public CallOptions withTimeouts(Timeouts replacement) {
    return new CallOptions(
        replacement,
        minResponseRate,
        retries,
        budget,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withMinResponseRate(MinimumRate replacement) {
    return new CallOptions(
        timeouts,
        replacement,
        retries,
        budget,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withRetries(RetryPolicy replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        replacement,
        budget,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withBudget(RetryBudget replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        replacement,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withDeadlineHeader(@Nullable HeaderName replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        budget,
        replacement,
        closesAfter,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withClosesAfter(@Nullable Predicate<Status> replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        budget,
        deadlineHeader,
        replacement,
        expectContinueFrom,
        fields,
        listeners);
  }

  public CallOptions withExpectContinueFrom(long replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        budget,
        deadlineHeader,
        closesAfter,
        replacement,
        fields,
        listeners);
  }

  public CallOptions withFields(List<AttemptFields> replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        budget,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        replacement,
        listeners);
  }

  public CallOptions withListeners(List<ExchangeListener> replacement) {
    return new CallOptions(
        timeouts,
        minResponseRate,
        retries,
        budget,
        deadlineHeader,
        closesAfter,
        expectContinueFrom,
        fields,
        replacement);
  }
}
