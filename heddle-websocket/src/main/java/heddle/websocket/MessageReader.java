package heddle.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts messages together from frames (RFC 6455 section 5.4). For one thread at a time. */
final class MessageReader {
  /** Frames without content in one message: a peer that fragments needs few. */
  private static final int MOST_EMPTY_FRAMES = 1000;

  private static final byte[] NONE = {};

  private final FrameReader frames;
  private final int mostBytes;
  private final @Nullable MessageInflater inflater;
  private final MessageMemory memory;

  /** Whether a thread waits for a frame, and how many there were. Read by other threads. */
  private volatile boolean waiting;

  private volatile long received;

  // The message that is being received.
  private final FrameOrder order = new FrameOrder();
  private boolean isText;
  private boolean compressed;
  private byte[] content = NONE;
  private int size;
  private int emptyFrames;

  /** Takes the control frames, which may come between those of a message. */
  @FunctionalInterface
  interface ControlFrames {
    /** Returns whether there may be more frames. */
    boolean on(Opcode opcode, byte[] payload) throws IOException;
  }

  /**
   * {@code inflater}: null if no compression was agreed on.
   *
   * @param mostBytes the limit for a message, compressed and decompressed
   * @param memory for one message, which the inflater has too
   */
  MessageReader(
      FrameReader frames, int mostBytes, @Nullable MessageInflater inflater, MessageMemory memory) {
    this.frames = frames;
    this.mostBytes = mostBytes;
    this.inflater = inflater;
    this.memory = memory;
  }

  static WebSocketProtocolException tooLarge(int mostBytes) {
    return new WebSocketProtocolException(
        CloseReason.TOO_LARGE,
        "a message of more than the " + mostBytes + " bytes that maxMessageBytes allows");
  }

  /**
   * Waits for the next message.
   *
   * @return null if the control frames say that there are no more
   * @throws WebSocketProtocolException if the peer breaks a rule
   * @throws EOFException if the connection ends
   * @throws IOException also if there is no memory for it
   */
  @Nullable
  Message next(ControlFrames control) throws IOException {
    memory.reserve(0); // for the message before
    while (true) {
      FrameHeader header = header();
      if (header.opcode().isControl()) {
        if (!control.on(header.opcode(), frames.control(header))) {
          return null;
        }
      } else {
        add(header);
        if (header.last()) {
          return whole();
        }
      }
    }
  }

  private FrameHeader header() throws IOException {
    waiting = true;
    try {
      FrameHeader header = frames.next();
      long before = received; // written by one thread at a time
      received = before + 1;
      return header;
    } finally {
      waiting = false;
    }
  }

  private void add(FrameHeader header) throws IOException {
    isText = order.typeOf(header) == Opcode.TEXT;
    if (header.length() > mostBytes - size) {
      throw tooLarge(mostBytes);
    }
    emptyFrames += header.length() == 0 ? 1 : 0;
    if (emptyFrames > MOST_EMPTY_FRAMES) {
      throw new WebSocketProtocolException(
          CloseReason.POLICY_VIOLATION,
          "a message of more than " + MOST_EMPTY_FRAMES + " frames without content");
    }
    if (header.opcode() != Opcode.CONTINUATION) {
      compressed = header.compressed();
    }
    content = frames.payload(content, size, header, memory);
    size += (int) header.length();
  }

  private Message whole() throws IOException {
    byte[] bytes = content;
    int count = size;
    content = NONE;
    size = 0;
    emptyFrames = 0;
    if (compressed && inflater != null) {
      bytes = inflater.decompress(bytes, count);
      count = bytes.length;
    }
    if (isText) {
      return new Message.Text(Utf8.decode(bytes, 0, count));
    }
    return new Message.Binary(count == bytes.length ? bytes : Arrays.copyOf(bytes, count));
  }

  /** Frees native memory; nothing is read any more. */
  void close() {
    if (inflater != null) {
      inflater.close();
    }
  }

  /** Whether a thread waits for a frame. From any thread. */
  boolean isWaiting() {
    return waiting;
  }

  /** How many frames have arrived. From any thread. */
  long received() {
    return received;
  }
}
