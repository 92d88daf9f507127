package heddle.bench.driver;

/**
 * The connections of a client to the server.
 *
 * @param protocol the only protocol that it may use
 * @param connections how many connections it may open; at least 1
 * @param streams how many exchanges may run on each at once; at least 1. Over HTTP/1.1 more than 1
 *     are pipelined
 * @param requests after how many exchanges it closes a connection of HTTP/1.1 and opens another; 0
 *     if it keeps them
 * @param trust which certificates it accepts if the target's scheme is https
 */
public record Wire(Protocol protocol, int connections, int streams, int requests, Trust trust) {

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public Wire {
    if (connections < 1 || streams < 1) {
      throw new IllegalArgumentException(
          "connections and streams must be at least 1, not " + connections + " and " + streams);
    }
    if (requests < 0) {
      throw new IllegalArgumentException("requests must not be negative, but were " + requests);
    }
  }

  /** A number of connections over HTTP/1.1. */
  public static Wire http1(int connections) {
    return new Wire(Protocol.HTTP_1_1, connections, 1, 0, new Trust.Default());
  }

  /** A number of connections over HTTP/2, each with a number of streams. */
  public static Wire http2(int connections, int streams) {
    return new Wire(Protocol.HTTP_2, connections, streams, 0, new Trust.Default());
  }

  /** Whether requests are sent before earlier ones on the same connection were answered. */
  public boolean isPipelined() {
    return protocol == Protocol.HTTP_1_1 && streams > 1;
  }

  /** A copy with another trust. */
  public Wire withTrust(Trust other) {
    return new Wire(protocol, connections, streams, requests, other);
  }

  /** The most concurrent exchanges. */
  public int exchanges() {
    return Math.multiplyExact(connections, streams);
  }
}
