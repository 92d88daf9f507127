package heddle.connection;

import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;

/** A client's connection that carries exchanges. Safe for use by many threads. */
public interface Connection {
  /**
   * Sends a request and parks the calling thread until the head of its response has arrived. The
   * exchange is told when it is over: before this returns if the whole response was there, else
   * when its body has been read or closed.
   *
   * @throws heddle.http.HttpException when the exchange fails; the connection is closed then
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * and     the connection closed
   */
  Response send(Request request, Exchange exchange) throws IOException;

  /** Whether a further exchange may be tried. */
  boolean isOpen();

  /** Closes the connection; exchanges under way fail. Idempotent, does not wait. */
  void close();
}
