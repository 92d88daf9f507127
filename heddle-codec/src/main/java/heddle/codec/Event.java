package heddle.codec;

import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;

/**
 * What a session has read. Of one message a session yields, in this order: any number of {@link
 * Interim} (client), one head, any number of {@link Data}, one {@link End}; or, if the connection
 * passes to another protocol, a {@link ResponseHead} and then {@link Upgraded}.
 */
public sealed interface Event {

  /**
   * The head of a request (server).
   *
   * @param target the request-target as it was received, in one of the four forms of RFC 9112 §3.2
   * @param hasBody whether content follows; if false, {@link End} comes next
   * @param expectContinue whether the client waits for a 100 (Continue) before it sends the
   *     content, RFC 9110 §10.1.1
   */
  record RequestHead(
      Method method,
      String target,
      HttpVersion version,
      Headers headers,
      boolean hasBody,
      boolean expectContinue)
      implements Event {}

  /**
   * The head of a final response (client): any status but 1xx, and 101.
   *
   * @param hasBody whether content may follow; if not, {@link End} or {@link Upgraded} comes next
   */
  record ResponseHead(Status status, HttpVersion version, Headers headers, boolean hasBody)
      implements Event {}

  /** An interim response (client): status 1xx other than 101; the final one is still to come. */
  record Interim(Status status, Headers headers) implements Event {}

  /**
   * A piece of content, without its transfer coding.
   *
   * @param bytes a view of the input given to the session, at least one byte; valid until that
   *     buffer changes, which is at latest when the caller of the session returns
   */
  record Data(ByteBuffer bytes) implements Event {}

  /** The message is complete. */
  record End(Headers trailers) implements Event {
    /** Without trailers. */
    public static final End NONE = new End(Headers.empty());
  }

  /**
   * The connection belongs to another protocol from here on (client: after a 101, or a 2xx to
   * CONNECT). The bytes after it are left in the input, untouched.
   */
  record Upgraded() implements Event {
    public static final Upgraded INSTANCE = new Upgraded();
  }
}
