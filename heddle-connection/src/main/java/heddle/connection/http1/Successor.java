package heddle.connection.http1;

import heddle.connection.Exchange;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Continues a connection whose server has switched to another protocol (RFC 9110 §7.8). */
public interface Successor {
  /** On the loop: whether the fields of a 101 name the protocol that was offered. */
  boolean accepts(Headers head);

  /**
   * Waits for the response to a request that was sent whole. On the thread of the call; nothing is
   * read from the channel until it is started anew. Calls {@link Exchange#ended} when the exchange
   * is over.
   *
   * @param rest the bytes already received behind the 101
   */
  Response follow(Request request, Exchange exchange, ByteBuffer rest) throws IOException;
}
