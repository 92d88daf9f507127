package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * HEADERS, RFC 9113 §6.2: opens a stream, or carries a head or trailers on one. The field block
 * goes on in {@link ContinuationFrame}s unless {@code endHeaders} is set.
 *
 * @param fragment the first part of the field block, without padding
 * @param priority the deprecated signal of §5.3.2, which nothing here acts on; null when absent
 */
public record HeadersFrame(
    int streamId,
    boolean endStream,
    boolean endHeaders,
    ByteBuffer fragment,
    PriorityFrame.@Nullable Signal priority)
    implements Frame {
  public static final int TYPE = 0x1;
  public static final int END_STREAM = 0x1;
  public static final int END_HEADERS = 0x4;
  public static final int PADDED = 0x8;
  public static final int PRIORITY = 0x20;

  /** A frame without a priority signal. */
  public HeadersFrame(int streamId, boolean endStream, boolean endHeaders, ByteBuffer fragment) {
    this(streamId, endStream, endHeaders, fragment, null);
  }

  /**
   * Whether the stream depends on itself: a stream error of type PROTOCOL_ERROR (RFC 7540 §5.3.1).
   * Not thrown when read, because the field block must be decoded anyway (RFC 9113 §4.3).
   */
  public boolean dependsOnItself() {
    return priority != null && priority.dependency() == streamId;
  }

  static HeadersFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onStream(header, "HEADERS", "RFC 9113 §6.2");
    int signal = header.has(PRIORITY) ? PriorityFrame.Signal.BYTES : 0;
    FrameChecks.atLeast(header, signal + (header.has(PADDED) ? 1 : 0), "HEADERS", "RFC 9113 §6.2");
    if (header.has(PADDED)) {
      FrameChecks.unpad(header, payload, signal, "HEADERS", "RFC 9113 §6.2");
    }
    PriorityFrame.Signal priority =
        header.has(PRIORITY) ? PriorityFrame.Signal.decode(payload) : null;
    return new HeadersFrame(
        header.streamId(), header.has(END_STREAM), header.has(END_HEADERS), payload, priority);
  }

  @Override
  public void encode(HpackOutput out) {
    int flags = (endStream ? END_STREAM : 0)
        | (endHeaders ? END_HEADERS : 0)
        | (priority != null ? PRIORITY : 0);
    int at = FrameHeader.reserve(out);
    if (priority != null) {
      priority.encode(out);
    }
    FrameHeader.append(out, fragment);
    FrameHeader.patch(out, at, TYPE, flags, streamId);
  }

  /**
   * Makes frames of a whole field block that was encoded behind a header reserved by {@link
   * FrameHeader#reserve}: one HEADERS frame and, if the block is longer than a frame may be, the
   * CONTINUATION frames that it needs.
   *
   * <pre>{@code
   * int at = FrameHeader.reserve(out);
   * encoder.begin(out); ...
   * HeadersFrame.finish(out, at, streamId, endStream, peer.maxFrameSize());
   * }</pre>
   *
   * @param at what reserve returned
   * @param maxFrameSize the peer's SETTINGS_MAX_FRAME_SIZE
   */
  public static void finish(
      HpackOutput out, int at, int streamId, boolean endStream, int maxFrameSize) {
    int block = out.length() - at - FrameHeader.BYTES;
    int flags = endStream ? END_STREAM : 0;
    if (block <= maxFrameSize) {
      FrameHeader.patch(out, at, TYPE, flags | END_HEADERS, streamId);
    } else {
      ContinuationFrame.split(out, at, block, maxFrameSize, streamId);
      FrameHeader.write(out.array(), at, maxFrameSize, TYPE, flags, streamId);
    }
  }
}
