package heddle.connection.http1;

import heddle.codec.Event;
import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.transport.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that is still coming in. Read once, by one thread at a time; its timeout is
 * the connection's, which fails the queue when the peer falls silent.
 */
final class RequestBody extends Body {
  static final byte[] NONE = {};

  private final InboundQueue queue;
  private final long length;
  private final @Nullable MediaType mediaType;
  private final @Nullable ContinueGate gate;
  private boolean opened;

  RequestBody(
      InboundQueue queue, long length, @Nullable MediaType mediaType, @Nullable ContinueGate gate) {
    this.queue = queue;
    this.length = length;
    this.mediaType = mediaType;
    this.gate = gate;
  }

  /** Content-Length as the session has checked it; 0 without a body, {@link Body#UNKNOWN}. */
  static long declaredLength(Event.RequestHead head) {
    if (!head.hasBody()) {
      return 0;
    }
    String declared = head.headers().first(HeaderName.CONTENT_LENGTH);
    return declared == null ? UNKNOWN : Long.parseLong(declared);
  }

  /** The Content-Type; null when there is none that can be understood. */
  static @Nullable MediaType mediaTypeOf(Headers headers) {
    String type = headers.first(HeaderName.CONTENT_TYPE);
    if (type == null) {
      return null;
    }
    try {
      return MediaType.parse(type);
    } catch (IllegalArgumentException e) {
      // RFC 9110 §8.3 lets a recipient treat what it cannot parse as unknown; the field is there.
      return null;
    }
  }

  /** A body that has come as a whole. */
  static Body inMemory(byte[] content, Headers headers) {
    MediaType type = mediaTypeOf(headers);
    return type == null ? Body.of(content) : Body.of(content, type);
  }

  static BodyTooLargeException tooLarge(long limit) {
    return new BodyTooLargeException(
        "the request's body is longer than the server's limit of " + limit + " bytes", null, null);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return mediaType;
  }

  @Override
  public InputStream stream() {
    if (opened) {
      throw new IllegalStateException("a request's body can be read only once");
    }
    opened = true;
    return new Stream();
  }

  @Override
  public void close() {
    queue.discard();
  }

  private final class Stream extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (gate != null) {
        gate.open();
      }
      return queue.read(target, offset, length, Deadline.never());
    }

    @Override
    public int available() {
      return queue.available();
    }

    @Override
    public void close() {
      queue.discard();
    }
  }
}
