package heddle.connection.http1;

import heddle.codec.Event;
import heddle.connection.Exchange;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Another protocol that a request offers the server to switch to. The loop sets the bytes received
 * in that protocol before it publishes the answer; the caller reads them afterwards.
 */
final class UpgradeOffer {
  private final Request request;
  private final Exchange owner;
  private final Successor successor;

  /** The bytes received in the other protocol; null if the server has not switched. */
  private volatile @Nullable ByteBuffer rest;

  UpgradeOffer(Request request, Exchange owner, Successor successor) {
    this.request = request;
    this.owner = owner;
    this.successor = successor;
  }

  /**
   * On the loop, when the server has switched: returns whether to the protocol offered.
   *
   * @param bytes the bytes received in the other protocol
   */
  boolean take(Event.@Nullable ResponseHead head, ByteBuffer bytes) {
    boolean taken = head != null && successor.accepts(head.headers());
    if (taken) {
      rest = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
    return taken;
  }

  /** Whether the server has switched to it. */
  boolean isTaken() {
    return rest != null;
  }

  /** Waits for the response, which comes in the other protocol. */
  Response follow() throws IOException {
    ByteBuffer first = rest;
    if (first == null) {
      throw new IllegalStateException("the server has not switched");
    }
    return successor.follow(request, owner, first);
  }
}
