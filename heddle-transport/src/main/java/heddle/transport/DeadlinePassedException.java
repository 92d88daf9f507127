package heddle.transport;

import java.io.IOException;

/** A deadline passed while a thread waited for the network. */
public final class DeadlinePassedException extends IOException {
  private static final long serialVersionUID = 1L;

  public DeadlinePassedException(String message) {
    super(message);
  }
}
