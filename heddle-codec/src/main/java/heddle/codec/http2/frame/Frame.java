package heddle.codec.http2.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One frame of HTTP/2, RFC 9113 §6. Byte buffers in a frame that was read are views of the input:
 * see {@link FrameReader#next}.
 */
public sealed interface Frame {
  // Flags. Each type has some of them; the same bit has different meanings in different types.

  int ACK = 0x1;
  int END_STREAM = 0x1;
  int END_HEADERS = 0x4;
  int PADDED = 0x8;
  int PRIORITY = 0x20;

  /** The stream that it belongs to, 0 if it belongs to the connection. */
  default int streamId() {
    return 0;
  }

  /** Appends the frame with its header. */
  void encode(HpackOutput out);

  /**
   * Reads a frame that is there as a whole.
   *
   * @param payload as many bytes as the header says; the frame may keep a view of it
   * @throws Http2Exception if the frame is malformed, whatever came before it
   */
  static Frame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    return switch (header.type()) {
      case Data.TYPE -> Data.decode(header, payload);
      case Headers.TYPE -> Headers.decode(header, payload);
      case Priority.TYPE -> Priority.decode(header, payload);
      case RstStream.TYPE -> RstStream.decode(header, payload);
      case Settings.TYPE -> Settings.decode(header, payload);
      case PushPromise.TYPE -> PushPromise.decode(header, payload);
      case Ping.TYPE -> Ping.decode(header, payload);
      case GoAway.TYPE -> GoAway.decode(header, payload);
      case WindowUpdate.TYPE -> WindowUpdate.decode(header, payload);
      case Continuation.TYPE -> Continuation.decode(header, payload);
      case PriorityUpdate.TYPE -> PriorityUpdate.decode(header, payload);
      default -> new Unknown(header.type(), header.flags(), header.streamId(), payload);
    };
  }

  /**
   * DATA, RFC 9113 §6.1: content of a message; or, as {@link FrameReader} yields it, a piece of one
   * such frame.
   *
   * @param endStream whether the sender's half of the stream ends with it
   * @param data the content, without padding
   * @param flowControlled bytes that count against the windows: the content, the padding and the
   *     byte that gives its length (§6.9.1). Of a frame in pieces the first one counts the padding.
   * @param begun bytes of content in the whole frame; -1 in a piece that is not the first
   */
  record Data(int streamId, boolean endStream, ByteBuffer data, int flowControlled, int begun)
      implements Frame {
    public static final int TYPE = 0x0;

    /** A frame without padding. */
    public Data(int streamId, boolean endStream, ByteBuffer data) {
      this(streamId, endStream, data, data.remaining());
    }

    /** A whole frame. */
    public Data(int streamId, boolean endStream, ByteBuffer data, int flowControlled) {
      this(streamId, endStream, data, flowControlled, data.remaining());
    }

    static Data decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      check(header);
      if (header.has(PADDED)) {
        header.unpad(payload, 0);
      }
      return new Data(header.streamId(), header.has(END_STREAM), payload, header.length());
    }

    /** Checks what the header alone shows. */
    static void check(FrameHeader header) throws Http2Exception {
      header.checkOnStream();
      if (header.has(PADDED) && header.length() == 0) {
        // RFC 9113 §4.2: too small for what its flags announce; concerns one stream only.
        throw Http2Exception.stream(
            header.streamId(),
            ErrorCode.FRAME_SIZE_ERROR,
            "DATA with the PADDED flag and no payload (RFC 9113 §4.2, §6.1)");
      }
    }

    @Override
    public void encode(HpackOutput out) {
      int padding = flowControlled - data.remaining() - 1;
      int flags = (endStream ? END_STREAM : 0) | (padding >= 0 ? PADDED : 0);
      FrameHeader.encode(out, flowControlled, TYPE, flags, streamId);
      if (padding >= 0) {
        out.putByte(padding);
      }
      FrameHeader.append(out, data);
      for (int i = 0; i < padding; i++) {
        out.putByte(0);
      }
    }
  }

  /**
   * HEADERS, RFC 9113 §6.2: opens a stream, or carries a head or trailers on one. The field block
   * goes on in {@link Continuation} frames unless {@code endHeaders} is set.
   *
   * @param fragment the first part of the field block, without padding
   * @param priority the deprecated signal of §5.3.2, which nothing here acts on; null when absent
   */
  record Headers(
      int streamId,
      boolean endStream,
      boolean endHeaders,
      ByteBuffer fragment,
      Priority.@Nullable Signal priority)
      implements Frame {
    public static final int TYPE = 0x1;

    /** A frame without a priority signal. */
    public Headers(int streamId, boolean endStream, boolean endHeaders, ByteBuffer fragment) {
      this(streamId, endStream, endHeaders, fragment, null);
    }

    /**
     * Whether the stream depends on itself: a stream error of type PROTOCOL_ERROR (RFC 7540
     * §5.3.1). Not thrown when read, because the field block must be decoded anyway (RFC 9113
     * §4.3).
     */
    public boolean dependsOnItself() {
      return priority != null && priority.dependency() == streamId;
    }

    static Headers decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnStream();
      int signal = header.has(PRIORITY) ? Priority.Signal.BYTES : 0;
      header.checkAtLeast(signal + (header.has(PADDED) ? 1 : 0));
      if (header.has(PADDED)) {
        header.unpad(payload, signal);
      }
      Priority.Signal priority = signal > 0 ? Priority.Signal.decode(payload) : null;
      return new Headers(
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
     * CONTINUATION frames that it needs. They are cut in place, from the last to the first, so that
     * each byte moves once.
     *
     * @param at what reserve returned
     * @param maxFrameSize the peer's SETTINGS_MAX_FRAME_SIZE
     */
    public static void finish(
        HpackOutput out, int at, int streamId, boolean endStream, int maxFrameSize) {
      int start = at + FrameHeader.BYTES;
      int block = out.length() - start;
      int flags = endStream ? END_STREAM : 0;
      if (block <= maxFrameSize) {
        FrameHeader.patch(out, at, TYPE, flags | END_HEADERS, streamId);
        return;
      }
      int further = (block - 1) / maxFrameSize;
      FrameHeader.grow(out, further * FrameHeader.BYTES);
      byte[] bytes = out.array();
      for (int i = further; i > 0; i--) {
        int from = start + i * maxFrameSize;
        int length = Math.min(maxFrameSize, block - i * maxFrameSize);
        int to = from + i * FrameHeader.BYTES;
        System.arraycopy(bytes, from, bytes, to, length);
        int end = i == further ? END_HEADERS : 0;
        FrameHeader.write(bytes, to - FrameHeader.BYTES, length, Continuation.TYPE, end, streamId);
      }
      FrameHeader.write(bytes, at, maxFrameSize, TYPE, flags, streamId);
    }
  }

  /**
   * PRIORITY, RFC 9113 §6.3: a deprecated signal that is parsed, checked and otherwise ignored. It
   * may come for a stream in any state.
   */
  record Priority(int streamId, Signal signal) implements Frame {
    public static final int TYPE = 0x2;

    /**
     * The priority signal of RFC 7540 §5.3.
     *
     * @param exclusive whether the stream wished to be the only one that depends on the other
     * @param dependency the stream that it depends on, 0 for none
     * @param weight 1 to 256
     */
    public record Signal(boolean exclusive, int dependency, int weight) {
      static final int BYTES = 5;

      static Signal decode(ByteBuffer in) {
        int word = FrameHeader.int32(in);
        return new Signal(word < 0, word & Integer.MAX_VALUE, (in.get() & 0xFF) + 1);
      }

      void encode(HpackOutput out) {
        FrameHeader.appendInt(out, exclusive ? dependency | 1 << 31 : dependency);
        out.putByte(weight - 1);
      }
    }

    static Priority decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnStream();
      int id = header.streamId();
      if (header.length() != Signal.BYTES) {
        // RFC 9113 §6.3: of one stream, unlike the sizes of other frames.
        throw Http2Exception.stream(
            id,
            ErrorCode.FRAME_SIZE_ERROR,
            "PRIORITY of " + header.length() + " bytes, must be 5 (RFC 9113 §6.3)");
      }
      Signal signal = Signal.decode(payload);
      if (signal.dependency() == id) {
        throw Http2Exception.stream(
            id, ErrorCode.PROTOCOL_ERROR, "stream " + id + " depends on itself (RFC 7540 §5.3.1)");
      }
      return new Priority(id, signal);
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, Signal.BYTES, TYPE, 0, streamId);
      signal.encode(out);
    }
  }

  /**
   * RST_STREAM, RFC 9113 §6.4: ends a stream at once.
   *
   * @param code the error code as sent, perhaps an unregistered one
   */
  record RstStream(int streamId, int code) implements Frame {
    public static final int TYPE = 0x3;

    public RstStream(int streamId, ErrorCode error) {
      this(streamId, error.code());
    }

    /** The reason, as {@link ErrorCode#of} maps the code. */
    public ErrorCode error() {
      return ErrorCode.of(code);
    }

    static RstStream decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnStream();
      header.checkLength(4);
      return new RstStream(header.streamId(), FrameHeader.int32(payload));
    }

    @Override
    public void encode(HpackOutput out) {
      encode(out, streamId, code);
    }

    /** Appends such a frame without creating an object. */
    public static void encode(HpackOutput out, int streamId, int code) {
      FrameHeader.encode(out, 4, TYPE, 0, streamId);
      FrameHeader.appendInt(out, code);
    }
  }

  /**
   * SETTINGS, RFC 9113 §6.5: the sender's settings, or the acknowledgement of the receiver's.
   * {@link heddle.codec.http2.frame.Settings#with} checks the values when it applies them.
   *
   * @param ack whether it acknowledges the receiver's SETTINGS; then there are no parameters
   * @param parameters in the order in which they are to be applied (§6.5.3), unknown ones too
   */
  record Settings(boolean ack, List<Parameter> parameters) implements Frame {
    public static final int TYPE = 0x4;

    /** The acknowledgement. */
    public static final Settings ACKNOWLEDGEMENT = new Settings(true, List.of());

    /**
     * One setting.
     *
     * @param id 0 to 2^16-1
     * @param value 0 to 2^32-1
     */
    public record Parameter(int id, long value) {
      static final int BYTES = 6;
    }

    public Settings {
      parameters = List.copyOf(parameters);
    }

    static Settings decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnConnection();
      if (header.has(ACK)) {
        header.checkLength(0);
        return ACKNOWLEDGEMENT;
      }
      if (header.length() % Parameter.BYTES != 0) {
        throw Http2Exception.connection(
            ErrorCode.FRAME_SIZE_ERROR,
            "SETTINGS of " + header.length() + " bytes, must be a multiple of 6 (RFC 9113 §6.5)");
      }
      var parameters = new ArrayList<Parameter>(header.length() / Parameter.BYTES);
      while (payload.hasRemaining()) {
        int id = (payload.get() & 0xFF) << 8 | payload.get() & 0xFF;
        parameters.add(new Parameter(id, Integer.toUnsignedLong(FrameHeader.int32(payload))));
      }
      return new Settings(false, parameters);
    }

    /**
     * The settings of a payload as encoded in the HTTP2-Settings field (RFC 7540 §3.2.1).
     *
     * @throws Http2Exception if its length is no multiple of 6
     */
    public static Settings ofPayload(byte[] payload) throws Http2Exception {
      return decode(new FrameHeader(payload.length, TYPE, 0, 0), ByteBuffer.wrap(payload));
    }

    /** The parameters as encoded in the frame and in the HTTP2-Settings field. */
    public byte[] payload() {
      HpackOutput out = new HpackOutput(64);
      encode(out);
      return Arrays.copyOfRange(out.array(), FrameHeader.BYTES, out.length());
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, parameters.size() * Parameter.BYTES, TYPE, ack ? ACK : 0, 0);
      for (Parameter parameter : parameters) {
        out.putByte(parameter.id() >> 8);
        out.putByte(parameter.id());
        FrameHeader.appendInt(out, (int) parameter.value());
      }
    }
  }

  /**
   * PUSH_PROMISE, RFC 9113 §6.6. Heddle refuses pushes by its SETTINGS; it parses the frame so that
   * a peer that pushes anyway gets the right error.
   *
   * @param promisedStreamId the stream that the server wants to push on
   * @param fragment the first part of the field block, without padding
   */
  record PushPromise(int streamId, boolean endHeaders, int promisedStreamId, ByteBuffer fragment)
      implements Frame {
    public static final int TYPE = 0x5;

    static PushPromise decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnStream();
      header.checkAtLeast(header.has(PADDED) ? 5 : 4);
      if (header.has(PADDED)) {
        header.unpad(payload, 4);
      }
      int promised = FrameHeader.int31(payload);
      return new PushPromise(header.streamId(), header.has(END_HEADERS), promised, payload);
    }

    @Override
    public void encode(HpackOutput out) {
      int flags = endHeaders ? END_HEADERS : 0;
      FrameHeader.encode(out, 4 + fragment.remaining(), TYPE, flags, streamId);
      FrameHeader.appendInt(out, promisedStreamId);
      FrameHeader.append(out, fragment);
    }
  }

  /**
   * PING, RFC 9113 §6.7: asks for an acknowledgement that carries the same data, or is one.
   *
   * @param data eight bytes of the sender's choice, the first of them the most significant
   */
  record Ping(boolean ack, long data) implements Frame {
    public static final int TYPE = 0x6;

    static Ping decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnConnection();
      header.checkLength(8);
      long high = FrameHeader.int32(payload);
      long low = Integer.toUnsignedLong(FrameHeader.int32(payload));
      return new Ping(header.has(ACK), high << 32 | low);
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, 8, TYPE, ack ? ACK : 0, 0);
      FrameHeader.appendInt(out, (int) (data >>> 32));
      FrameHeader.appendInt(out, (int) data);
    }
  }

  /**
   * GOAWAY, RFC 9113 §6.8: its sender takes no new streams, or ends the connection.
   *
   * @param lastStreamId the highest stream of the receiver's that was or may yet be acted upon
   * @param code the error code as sent, perhaps an unregistered one
   * @param debug text of the sender; for a log, and not to be trusted
   */
  record GoAway(int lastStreamId, int code, ByteBuffer debug) implements Frame {
    public static final int TYPE = 0x7;

    public GoAway(int lastStreamId, ErrorCode error, String debug) {
      this(lastStreamId, error.code(), ByteBuffer.wrap(debug.getBytes(UTF_8)));
    }

    /** The reason, as {@link ErrorCode#of} maps the code. */
    public ErrorCode error() {
      return ErrorCode.of(code);
    }

    /** The debug data as text; bytes that are not UTF-8 are replaced. */
    public String debugText() {
      return UTF_8.decode(debug.duplicate()).toString();
    }

    static GoAway decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnConnection();
      header.checkAtLeast(8);
      return new GoAway(FrameHeader.int31(payload), FrameHeader.int32(payload), payload);
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, 8 + debug.remaining(), TYPE, 0, 0);
      FrameHeader.appendInt(out, lastStreamId);
      FrameHeader.appendInt(out, code);
      FrameHeader.append(out, debug);
    }
  }

  /**
   * WINDOW_UPDATE, RFC 9113 §6.9: how many more bytes may be sent, on a stream or the connection.
   *
   * @param streamId 0 for the connection's window
   * @param increment 1 to 2^31-1
   */
  record WindowUpdate(int streamId, int increment) implements Frame {
    public static final int TYPE = 0x8;

    static WindowUpdate decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkLength(4);
      int increment = FrameHeader.int31(payload);
      if (increment == 0) {
        throw Http2Exception.of(
            header.streamId(),
            ErrorCode.PROTOCOL_ERROR,
            "WINDOW_UPDATE by 0 on stream " + header.streamId() + " (RFC 9113 §6.9)");
      }
      return new WindowUpdate(header.streamId(), increment);
    }

    @Override
    public void encode(HpackOutput out) {
      encode(out, streamId, increment);
    }

    /** Appends such a frame without creating an object. */
    public static void encode(HpackOutput out, int streamId, int increment) {
      FrameHeader.encode(out, 4, TYPE, 0, streamId);
      FrameHeader.appendInt(out, increment);
    }
  }

  /**
   * CONTINUATION, RFC 9113 §6.10: a further part of the field block that a HEADERS or PUSH_PROMISE
   * frame began.
   *
   * @param endHeaders whether the field block ends with it
   */
  record Continuation(int streamId, boolean endHeaders, ByteBuffer fragment) implements Frame {
    public static final int TYPE = 0x9;

    static Continuation decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnStream();
      return new Continuation(header.streamId(), header.has(END_HEADERS), payload);
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, fragment.remaining(), TYPE, endHeaders ? END_HEADERS : 0, streamId);
      FrameHeader.append(out, fragment);
    }
  }

  /**
   * PRIORITY_UPDATE, RFC 9218 §7.1: a client wants a response sooner or later than others. Only a
   * client may send it, on the connection, whatever stream it is about.
   *
   * @param prioritizedStreamId the request it is about, perhaps one still to come; at least 1
   * @param fieldValue a Priority field value, such as {@code u=1, i}; not checked
   */
  record PriorityUpdate(int prioritizedStreamId, ByteBuffer fieldValue) implements Frame {
    public static final int TYPE = 0x10;

    static PriorityUpdate decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
      header.checkOnConnection();
      header.checkAtLeast(4);
      int prioritized = FrameHeader.int31(payload);
      if (prioritized == 0) {
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE about stream 0 (RFC 9218 §7.1)");
      }
      return new PriorityUpdate(prioritized, payload);
    }

    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, 4 + fieldValue.remaining(), TYPE, 0, 0);
      FrameHeader.appendInt(out, prioritizedStreamId);
      FrameHeader.append(out, fieldValue);
    }
  }

  /**
   * A frame of a type that this implementation does not know: to be ignored, RFC 9113 §4.1 and
   * §5.5.
   *
   * @param type 0 to 255
   * @param flags 0 to 255
   */
  record Unknown(int type, int flags, int streamId, ByteBuffer payload) implements Frame {
    @Override
    public void encode(HpackOutput out) {
      FrameHeader.encode(out, payload.remaining(), type, flags, streamId);
      FrameHeader.append(out, payload);
    }
  }
}
