package heddle.http.io;

import java.io.InterruptedIOException;

/** How code that does I/O reports an interrupt. */
public final class Interrupts {
  private Interrupts() {}

  /**
   * Sets the interrupt flag of the calling thread again, and returns the exception to throw.
   *
   * @param message says while what the thread was interrupted
   */
  public static InterruptedIOException restored(String message, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException(message);
    interrupted.initCause(cause);
    return interrupted;
  }
}
