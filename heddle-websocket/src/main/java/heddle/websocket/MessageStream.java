package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.MalformedInputException;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an open socket in parts, for messages of any size and for other APIs of
 * WebSockets; {@link WebSocket} is easier to use. Made by {@link Handshake#open}. Methods block.
 *
 * <p>It answers neither pings nor Close frames, and does not close the connection, which belongs to
 * the caller. One thread at a time receives, and one at a time sends text or binary data. Any
 * number of threads may send pings, pongs, and a Close frame meanwhile.
 */
public final class MessageStream {
  private static final int MOST_PART_BYTES = 16 * 1024;
  private static final byte[] NONE = {};

  private final @Nullable String subprotocol;
  private final FrameReader frames;
  private final FrameWriter writer;

  // ---- of the thread that receives

  private final FrameOrder order = new FrameOrder();
  private final TextDecoder decoder = new TextDecoder();

  /** The frame of data that is being received; null between frames. */
  private @Nullable FrameHeader current;

  /** The type of its message, and how much of the frame was received. */
  private Opcode type = Opcode.TEXT;

  private long received;

  // ---- of the thread that sends

  /** The type of the message whose last part was not sent yet; null between messages. */
  private @Nullable Opcode unfinished;

  /** What is received: a part of a message, or a control frame. */
  public sealed interface Part {
    /**
     * A part of a text message.
     *
     * @param text is valid Unicode; no character is split between parts
     * @param last whether the message ends with it
     */
    record Text(String text, boolean last) implements Part {}

    /**
     * A part of a binary message.
     *
     * @param bytes belong to the receiver
     * @param last whether the message ends with it
     */
    record Binary(ByteBuffer bytes, boolean last) implements Part {}

    /**
     * A ping.
     *
     * @param bytes at most 125; they belong to the receiver
     */
    record Ping(ByteBuffer bytes) implements Part {}

    /**
     * A pong.
     *
     * @param bytes at most 125; they belong to the receiver
     */
    record Pong(ByteBuffer bytes) implements Part {}

    /** A Close frame, after which nothing is received. */
    record Close(CloseReason reason) implements Part {}
  }

  /** {@code subprotocol}: null for none. */
  MessageStream(Role role, InputStream in, OutputStream out, @Nullable String subprotocol) {
    this.subprotocol = subprotocol;
    frames = new FrameReader(in, role, false);
    writer = new FrameWriter(out, role, null);
  }

  /** The protocol that the server has chosen for the application; null for none. */
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  // ---- receiving

  /**
   * Waits for the next part. Of a long frame it returns what has arrived, at most 16 KiB.
   *
   * @throws WebSocketProtocolException if the peer breaks a rule
   * @throws EOFException if the peer has ended the connection without a Close frame
   * @throws IOException if the connection is lost
   */
  public Part receive() throws IOException {
    while (true) {
      FrameHeader header = current;
      if (header == null) {
        header = frames.next();
        if (header.opcode().isControl()) {
          return control(header.opcode(), frames.control(header));
        }
        type = order.typeOf(header);
        received = 0;
      }
      byte[] bytes = header.length() == 0 ? NONE : frames.part(header, received, MOST_PART_BYTES);
      received += bytes.length;
      boolean complete = received == header.length();
      current = complete ? null : header;
      boolean last = complete && header.last();
      if (type == Opcode.BINARY) {
        return new Part.Binary(ByteBuffer.wrap(bytes), last);
      }
      String text = decoder.decode(bytes, last);
      if (!text.isEmpty() || bytes.length == 0) {
        return new Part.Text(text, last);
      }
    }
  }

  private static Part control(Opcode opcode, byte[] payload) throws WebSocketProtocolException {
    return switch (opcode) {
      case PING -> new Part.Ping(ByteBuffer.wrap(payload));
      case PONG -> new Part.Pong(ByteBuffer.wrap(payload));
      case CLOSE -> new Part.Close(CloseReason.of(payload));
      case CONTINUATION, TEXT, BINARY ->
        throw new IllegalArgumentException(opcode + " is no control frame");
    };
  }

  // ---- sending

  /**
   * Sends a part of a text message, in frames of at most 64 KiB.
   *
   * @param last whether the message ends with it
   * @return false if a Close frame was sent before, after which nothing is sent
   * @throws CharacterCodingException if a surrogate has no partner; then nothing is sent
   * @throws IllegalStateException if a binary message was not ended
   */
  public boolean sendText(CharSequence text, boolean last) throws IOException {
    if (writer.isClosed()) {
      return false;
    }
    requireUnicode(text);
    CharsetEncoder encoder = UTF_8.newEncoder();
    CharBuffer chars = CharBuffer.wrap(text);
    long most = (long) Math.ceil(encoder.maxBytesPerChar() * (double) chars.length());
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(FrameWriter.MAX_FRAME_BYTES, most));
    while (true) {
      CoderResult result = encoder.encode(chars, bytes, true);
      if (result.isError()) {
        result.throwException();
      }
      boolean ends = result.isUnderflow();
      if (!send(Opcode.TEXT, bytes.flip(), last && ends)) {
        return false;
      }
      if (ends) {
        return true;
      }
      bytes.clear();
    }
  }

  private static void requireUnicode(CharSequence text) throws CharacterCodingException {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean paired =
            i + 1 < length && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!paired) {
          throw new MalformedInputException(1);
        }
        i++;
      }
    }
  }

  /**
   * Sends a part of a binary message, in frames of at most 64 KiB.
   *
   * @param bytes none of them remain when they were sent
   * @param last whether the message ends with it
   * @return false if a Close frame was sent before, after which nothing is sent
   * @throws IllegalStateException if a text message was not ended
   */
  public boolean sendBinary(ByteBuffer bytes, boolean last) throws IOException {
    while (true) {
      int size = Math.min(FrameWriter.MAX_FRAME_BYTES, bytes.remaining());
      boolean ends = size == bytes.remaining();
      if (!send(Opcode.BINARY, bytes.slice(bytes.position(), size), last && ends)) {
        return false;
      }
      bytes.position(bytes.position() + size);
      if (ends) {
        return true;
      }
    }
  }

  private boolean send(Opcode message, ByteBuffer part, boolean last) throws IOException {
    if (writer.isClosed()) {
      return false;
    }
    Opcode before = unfinished;
    if (before != null && before != message) {
      throw new IllegalStateException(
          "the message before, whose type is " + before + ", must be ended first");
    }
    if (!writer.frame(before == null ? message : Opcode.CONTINUATION, last, part)) {
      return false;
    }
    unfinished = last ? null : message;
    return true;
  }

  /**
   * Sends a ping.
   *
   * @param bytes at most 125, none of which remain when they were sent
   * @return false if a Close frame was sent before, after which nothing is sent
   * @throws IllegalArgumentException if there are too many
   */
  public boolean sendPing(ByteBuffer bytes) throws IOException {
    return sendControl(Opcode.PING, bytes);
  }

  /** Sends a pong, as {@link #sendPing} sends a ping. */
  public boolean sendPong(ByteBuffer bytes) throws IOException {
    return sendControl(Opcode.PONG, bytes);
  }

  private boolean sendControl(Opcode opcode, ByteBuffer bytes) throws IOException {
    if (writer.isClosed()) {
      return false;
    }
    if (bytes.remaining() > FrameHeader.MAX_CONTROL_BYTES) {
      throw new IllegalArgumentException(
          "a ping or pong has at most 125 bytes, but this one has " + bytes.remaining());
    }
    return writer.frame(opcode, true, bytes);
  }

  /**
   * Sends a Close frame.
   *
   * @return false if one was sent before
   * @throws IllegalArgumentException if the code may not be sent or the reason is too long
   */
  public boolean sendClose(CloseReason reason) throws IOException {
    return writer.control(Opcode.CLOSE, reason.requireSendable().payload());
  }
}
