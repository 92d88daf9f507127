package heddle.connection;

import heddle.http.Status;
import java.io.IOException;

/**
 * Why the rest of a request could not be received, through the peer's fault.
 *
 * @param status the status to answer with
 * @param failure what reading the request's body throws
 */
public record RequestFault(Status status, IOException failure) {
  /** Whether {@code thrown} is the {@link #failure} or was caused by it. */
  public boolean isBehind(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (failure.equals(cause)) {
        return true;
      }
    }
    return false;
  }
}
