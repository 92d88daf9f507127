package heddle.connection.http2;

import org.jspecify.annotations.Nullable;

/** The exchanges under way, linked through themselves. Guarded by the connection's lock. */
final class ExchangeList {
  private @Nullable Http2Exchange first;
  private int size;
  private int endedTogether; // how many ended in the last pass of the loop that ended any

  boolean isEmpty() {
    return first == null;
  }

  @Nullable
  Http2Exchange first() {
    return first;
  }

  void add(Http2Exchange exchange) {
    exchange.next = first;
    if (first != null) {
      first.previous = exchange;
    }
    first = exchange;
    exchange.listed = true;
    size++;
  }

  /** Does nothing if the exchange is not in the list. */
  void remove(Http2Exchange exchange) {
    if (!exchange.listed) {
      return;
    }
    if (exchange.next != null) {
      exchange.next.previous = exchange.previous;
    }
    if (exchange.previous != null) {
      exchange.previous.next = exchange.next;
    } else {
      first = exchange.next;
    }
    exchange.next = null;
    exchange.previous = null;
    exchange.listed = false;
    size--;
  }

  /** {@code count} exchanges have ended in one pass of the loop. */
  void endedTogether(int count) {
    endedTogether = count == 0 ? endedTogether : count;
  }

  /**
   * Whether other callers are likely to send at about the same time as the one whose exchange was
   * added last. If one pass brought all answers, no exchange is under way, yet the callers that it
   * woke are about to send again, and this is only the first of them.
   */
  boolean othersAreNear() {
    return size > 1 || endedTogether > 1;
  }
}
