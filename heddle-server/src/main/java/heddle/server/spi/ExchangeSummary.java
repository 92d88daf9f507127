package heddle.server.spi;

import heddle.http.Status;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an exchange has ended, see {@link ExchangeWatch}.
 *
 * @param status of the response. If the handler has failed before its response began, that of the
 *     server's response to the failure; if the handler has aborted the exchange, 500 though none is
 *     sent. After a switch to another protocol it is 101, over HTTP/2 too
 * @param contentBytes how much content of the response was handed to the connection; 0 if it has
 *     none by its status or the request's method, or the protocol was switched. Fields and framing
 *     do not count
 * @param complete whether all of the response was handed to the connection. If not, it was cut: the
 *     client has gone or does not read, the content failed, or the handler has aborted the
 *     exchange. The operating system may lose what the connection took, and content that is held in
 *     memory, up to 64 KiB, always counts as taken
 * @param failure what the handler has thrown, or why the content failed or could not be sent; null
 *     if nothing was thrown
 * @param elapsed from the call of {@link ExchangeWatch#answer} to the end of the response
 */
public record ExchangeSummary(
    Status status,
    long contentBytes,
    boolean complete,
    @Nullable Throwable failure,
    Duration elapsed) {
  /** Checks what was given. */
  public ExchangeSummary {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(elapsed, "elapsed");
    if (contentBytes < 0) {
      throw new IllegalArgumentException("contentBytes is negative: " + contentBytes);
    }
  }
}
