package heddle.client.spi;

import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.http.Status;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that is over: its response was read to the end or closed, or it failed.
 *
 * @param call which call
 * @param attempts how often a request of the call was tried; 0 if a step sent none
 * @param status of the last response, which may be that of a hedge; null if the last attempt
 *     brought none
 * @param connection of the last attempt; null if it got none
 * @param reused whether that connection had served another call before
 * @param sent whether the request was sent, in any attempt
 * @param contentSent bytes of the request's content; -1 if its length is not known beforehand
 * @param contentReceived bytes of the response's content that arrived
 * @param elapsed from the start to the end
 * @param spent the time in each phase that was entered, of all attempts together
 * @param failure what the call, or reading its response's body, threw; null if it succeeded
 */
public record CallSummary(
    CallInfo call,
    int attempts,
    @Nullable Status status,
    @Nullable ConnectionInfo connection,
    boolean reused,
    Sent sent,
    long contentSent,
    long contentReceived,
    Duration elapsed,
    Map<Phase, Duration> spent,
    @Nullable Throwable failure) {
  /** Copies the map. */
  public CallSummary {
    spent = Map.copyOf(spent);
  }

  /** The version of HTTP that was used; null if there was no connection. */
  public @Nullable HttpVersion version() {
    return connection == null ? null : connection.version();
  }
}
