package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The host has no address that the client's policy allows. */
public final class AddressRefusedException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public AddressRefusedException(String message, @Nullable FailurePoint at) {
    super(message, at, null);
  }
}
