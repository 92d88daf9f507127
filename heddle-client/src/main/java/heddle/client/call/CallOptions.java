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
 * How a client makes its calls, as its builder collects it. Not safe for use by several threads.
 */
public final class CallOptions {
  /** More bytes than any content has. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Tells the client from others, for listeners; null for none. */
  public @Nullable String label;

  public Timeouts timeouts = Timeouts.DEFAULTS;
  public MinimumRate minResponseRate = MinimumRate.OFF;
  public RetryPolicy retries = RetryPolicy.provablySafe();
  public RetryBudget budget = RetryBudget.DEFAULT;

  /** The field in which a server gets the milliseconds that the call has left; null for none. */
  public @Nullable HeaderName deadlineHeader;

  /** After which statuses a connection of HTTP/1.1 serves no other call; null for after none. */
  public @Nullable Predicate<Status> closesAfter;

  /**
   * From how many bytes on content waits for 100 (Continue), as content of unknown length then does
   * too; {@link #NEVER} if only requests wait that ask for it.
   */
  public long expectContinueFrom = NEVER;

  /** Add fields to each attempt, one after the other. */
  public final List<AttemptFields> fields = new ArrayList<>();

  public final List<ExchangeListener> listeners = new ArrayList<>();
}
