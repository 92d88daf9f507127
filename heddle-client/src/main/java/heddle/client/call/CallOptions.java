package heddle.client.call;

import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.ExchangeListener;
import heddle.connection.MinimumRate;
import heddle.http.HeaderName;
import heddle.http.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a client makes its calls.
 *
 * @param timeouts how long the parts of a call may take
 * @param minResponseRate how fast the content of a response must arrive
 * @param retries when a request is sent again
 * @param budget how often, for each route
 * @param deadlineHeader the field that tells a server how many milliseconds the call has left when
 *     it is sent; null for none
 * @param closesAfter after which statuses a connection of HTTP/1.1 serves no other call; null for
 *     after none
 * @param expectContinueFrom from how many bytes on content waits for 100 (Continue), as content of
 *     unknown length then does too; {@link #NEVER} if only requests wait that ask for it
 * @param fields add fields to each attempt, one after the other
 * @param listeners of all calls
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

  public CallOptions {
    fields = List.copyOf(fields);
    listeners = List.copyOf(listeners);
  }

  /** The defaults: the default timeouts, policy and budget, and no listeners. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects options; each setter replaces a value. Not safe for use by several threads. */
  public static final class Builder {
    private Timeouts timeouts = Timeouts.DEFAULTS;
    private MinimumRate minResponseRate = MinimumRate.OFF;
    private RetryPolicy retries = RetryPolicy.provablySafe();
    private RetryBudget budget = RetryBudget.DEFAULT;
    private @Nullable HeaderName deadlineHeader;
    private @Nullable Predicate<Status> closesAfter;
    private long expectContinueFrom = NEVER;
    private final List<AttemptFields> fields = new ArrayList<>();
    private final List<ExchangeListener> listeners = new ArrayList<>();

    private Builder() {}

    public Builder timeouts(Timeouts replacement) {
      timeouts = replacement;
      return this;
    }

    public Builder minResponseRate(MinimumRate replacement) {
      minResponseRate = replacement;
      return this;
    }

    public Builder retries(RetryPolicy replacement) {
      retries = replacement;
      return this;
    }

    public Builder budget(RetryBudget replacement) {
      budget = replacement;
      return this;
    }

    public Builder deadlineHeader(HeaderName replacement) {
      deadlineHeader = replacement;
      return this;
    }

    public Builder closesAfter(Predicate<Status> replacement) {
      closesAfter = replacement;
      return this;
    }

    public Builder expectContinueFrom(long replacement) {
      expectContinueFrom = replacement;
      return this;
    }

    /** Adds to those that were given before. */
    public Builder fields(AttemptFields more) {
      fields.add(more);
      return this;
    }

    /** Adds to those that were given before. */
    public Builder listener(ExchangeListener more) {
      listeners.add(more);
      return this;
    }

    public CallOptions build() {
      return new CallOptions(
          timeouts,
          minResponseRate,
          retries,
          budget,
          deadlineHeader,
          closesAfter,
          expectContinueFrom,
          fields,
          listeners);
    }
  }
}
