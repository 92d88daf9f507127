package heddle.connection;

import org.jspecify.annotations.Nullable;

/**
 * A response could not be sent through a fault of its own: its fields contradict its body, its body
 * failed, or was not as long as it said. When {@link ServerExchange#isCommitted} is still
 * false another response can take its place; otherwise the exchange was cut, so that the peer
 * does not take what it got for the whole.
 */
public final class ResponseFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  public ResponseFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
