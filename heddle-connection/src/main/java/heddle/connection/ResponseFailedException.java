package heddle.connection;

import org.jspecify.annotations.Nullable;

/**
 * A response could not be sent because it is faulty: its fields contradict its body, its body
 * failed, or its body does not have the declared length. If {@link ServerExchange#isCommitted} is
 * still false, another response can be sent instead; otherwise the exchange was cut, so that the
 * peer does not mistake what it got for the whole.
 */
public final class ResponseFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  public ResponseFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
