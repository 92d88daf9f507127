package heddle.codec.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException.Kind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Http2Session} has read. Of one stream it yields, in this order: any number of
 * {@link Interim} (client), one head, any number of {@link Data}, and at most one {@link Trailers}.
 * The message is complete with the event that says so ({@code endStream}, or {@link Trailers}).
 * {@link Reset} and {@link StreamError} end a stream at any time; nothing of it follows.
 *
 * <p>An event of a stream that this side has reset may still come, when it was on its way from the
 * receiving half while the sending half reset the stream: ignore it, but give the bytes of a {@link
 * Data} back with {@link Http2Session#connectionConsumed}.
 */
public sealed interface Http2Event {

  /**
   * The head of a final response (client): any status but 1xx.
   *
   * @param endStream whether the message ends with it
   */
  record ResponseHead(Http2Stream stream, Status status, Headers headers, boolean endStream)
      implements Http2Event {}

  /**
   * The head of a request (server): a new stream.
   *
   * @param scheme null for a CONNECT without {@code :protocol} (RFC 9113 §8.5)
   * @param authority {@code :authority}, or the Host field's value if that is missing; empty if
   *     there is neither, which only schemes other than http and https allow
   * @param target {@code :path}; for a CONNECT without {@code :protocol} the authority
   * @param protocol {@code :protocol} of an extended CONNECT (RFC 8441 §4), otherwise null
   * @param headers the fields without pseudo-header fields, several Cookie fields joined to one
   *     (RFC 9113 §8.2.3)
   * @param endStream whether the message ends with it
   */
  record RequestHead(
      Http2Stream stream,
      Method method,
      @Nullable String scheme,
      String authority,
      String target,
      @Nullable String protocol,
      Headers headers,
      boolean endStream)
      implements Http2Event {}

  /** An interim response (client): status 1xx; the final one is still to come. */
  record Interim(Http2Stream stream, Status status, Headers headers) implements Http2Event {}

  /**
   * A piece of content.
   *
   * @param bytes a view of the input, or of the session's own buffer; valid until the next call of
   *     {@link Http2Session#next}. Empty if only {@code endStream} or padding came
   * @param flowControlled what it has taken from the windows of the stream and of the connection,
   *     in bytes, padding included: to be given back with {@link Http2Session#consumed} and {@link
   *     Http2Session#connectionConsumed}
   * @param endStream whether the message ends with it
   */
  record Data(Http2Stream stream, ByteBuffer bytes, int flowControlled, boolean endStream)
      implements Http2Event {}

  /** The trailer section, which ends the message. */
  record Trailers(Http2Stream stream, Headers headers) implements Http2Event {}

  /**
   * The peer has reset the stream (RFC 9113 §6.4). {@link ErrorCode#REFUSED_STREAM} says that it
   * has processed nothing of it (§8.7); {@link ErrorCode#NO_ERROR} after a complete response, that
   * it wants no more of the request (§8.1).
   */
  record Reset(Http2Stream stream, ErrorCode code) implements Http2Event {}

  /**
   * The peer broke a rule that concerns one stream (RFC 9113 §5.4.2), or went over a bound. The
   * session has reset the stream, or answered 431; the connection goes on. For the driver this is
   * the stream's end, as {@link Reset} is.
   *
   * @param stream null if no event ever named the stream: a request whose head is malformed, one
   *     above our limit of streams, a frame on a closed stream
   * @param kind what is malformed
   * @param message what was seen and what was expected; contains no field's value
   * @param requestLine of a request that is not yielded: method, path and version, for logs, as ISO
   *     8859-1 with control characters, and {@code -} for what has not come. Null if the error is
   *     in another frame than the one that opens the stream
   */
  record StreamError(
      int streamId,
      @Nullable Http2Stream stream,
      ErrorCode code,
      Kind kind,
      String message,
      @Nullable String requestLine)
      implements Http2Event {
    /** Whether the session has answered 431 instead of resetting the stream. */
    public boolean isAnswered() {
      return requestLine != null && code == ErrorCode.ENHANCE_YOUR_CALM;
    }
  }

  /**
   * The peer takes no new streams (RFC 9113 §6.8). May come more than once, with a last id that
   * only falls. Streams of ours above it were not processed: {@link Http2Session#pollRefused} gives
   * them after {@link Http2Session#settle}.
   *
   * @param debug the debug data as text, with what is not visible ASCII replaced
   */
  record GoAway(int lastStreamId, ErrorCode code, String debug) implements Http2Event {}

  /** The peer's settings as they are from now on; they apply to us after the next settle(). */
  record SettingsChanged(Settings settings) implements Http2Event {}

  /** The answer to a {@link Http2Session#ping}. */
  record PingAck(long data) implements Http2Event {}
}
