package heddle.transport.tls;

import java.io.IOException;

/** What stands where a record should begin is none. */
final class NotTlsException extends IOException {
  private static final long serialVersionUID = 1L;

  NotTlsException(String message) {
    super(message);
  }
}
