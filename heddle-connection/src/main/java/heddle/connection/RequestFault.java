package heddle.connection;

import heddle.http.Status;
import java.io.IOException;

/**
 * Why the rest of a request could not be received, by the peer's own doing.
 *
 * @param status what the peer is to be answered
 * @param failure what the reader of the request's body gets
 */
public record RequestFault(Status status, IOException failure) {
  /** Whether whoever threw this did so because it had got the {@link #failure}. */
  public boolean isBehind(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (failure.equals(cause)) {
        return true;
      }
    }
    return false;
  }
}
