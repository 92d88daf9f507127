package heddle.websocket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as frames, each with one call of its stream. A long message is cut into several
 * frames, between which control frames may go. For many threads.
 */
final class FrameWriter {
  /** The longest payload of a frame of data: what is written at once takes as much memory. */
  static final int MAX_FRAME_BYTES = 64 * 1024;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int KEYS_AT_ONCE = 16;
  private static final byte[] NO_KEYS = {};

  private final OutputStream out;
  private final Role role;

  /** Held for all frames of a message, and taken before the other; guards the deflater. */
  private final ReentrantLock messages = new ReentrantLock();

  private final @Nullable MessageDeflater deflater;

  /** Held for one frame; guards the keys. */
  private final ReentrantLock frames = new ReentrantLock();

  private byte[] keys = NO_KEYS;
  private int usedKeys;

  /** Whether a Close frame was written, or the writer closed. Written under {@code frames}. */
  private volatile boolean closed;

  /** {@code deflater}: null if no compression was agreed on. */
  FrameWriter(OutputStream out, Role role, @Nullable MessageDeflater deflater) {
    this.out = out;
    this.role = role;
    this.deflater = deflater;
  }

  /**
   * Writes a message.
   *
   * @param opcode TEXT or BINARY
   * @return false if a Close frame was written before, after which there are no messages
   */
  boolean message(Opcode opcode, byte[] content) throws IOException {
    messages.lock();
    try {
      if (closed) {
        return false;
      }
      byte[] payload = content;
      boolean compresses = false;
      if (deflater != null && content.length >= MessageDeflater.WORTHWHILE_BYTES) {
        payload = deflater.compress(content);
        compresses = true;
      }
      int at = 0;
      do {
        int size = Math.min(MAX_FRAME_BYTES, payload.length - at);
        boolean last = at + size == payload.length;
        Opcode type = at == 0 ? opcode : Opcode.CONTINUATION;
        if (!frame(last, compresses && at == 0, type, ByteBuffer.wrap(payload, at, size))) {
          return false;
        }
        at += size;
      } while (at < payload.length);
      return true;
    } finally {
      messages.unlock();
    }
  }

  /** Writes a PING, PONG or CLOSE; false if a Close frame was written before. */
  boolean control(Opcode opcode, byte[] payload) throws IOException {
    return frame(opcode, true, ByteBuffer.wrap(payload));
  }

  /**
   * Writes a frame that is not compressed. If it is a part of a message, the caller must be the
   * only one that writes messages.
   *
   * @param payload at most {@link #MAX_FRAME_BYTES}, none of which remain
   * @return false if a Close frame was written before
   */
  boolean frame(Opcode opcode, boolean last, ByteBuffer payload) throws IOException {
    return frame(last, false, opcode, payload);
  }

  private boolean frame(boolean last, boolean compressed, Opcode opcode, ByteBuffer payload)
      throws IOException {
    frames.lock();
    try {
      if (closed) {
        return false;
      }
      closed = opcode == Opcode.CLOSE;
      int key = role.masks() ? nextKey() : 0;
      int size = payload.remaining();
      byte[] frame = new byte[FrameHeader.MAX_BYTES + size];
      int head = new FrameHeader(last, compressed, opcode, size, key).encode(frame, role.masks());
      payload.get(frame, head, size);
      Masking.apply(frame, head, size, key, 0);
      out.write(frame, 0, head + size);
      return true;
    } finally {
      frames.unlock();
    }
  }

  /** Whether a Close frame was written, or nothing is written any more. From any thread. */
  boolean isClosed() {
    return closed;
  }

  /** Nothing is written any more. Called when writing fails, so that it does not wait for long. */
  void close() {
    frames.lock();
    try {
      closed = true;
    } finally {
      frames.unlock();
    }
    if (deflater != null) {
      messages.lock();
      try {
        deflater.close();
      } finally {
        messages.unlock();
      }
    }
  }

  /** RFC 6455 section 10.3: a key must not be predictable. The caller holds {@code frames}. */
  private int nextKey() {
    if (usedKeys * 4 == keys.length) {
      keys = keys == NO_KEYS ? new byte[4 * KEYS_AT_ONCE] : keys;
      RANDOM.nextBytes(keys);
      usedKeys = 0;
    }
    int at = 4 * usedKeys++;
    return (keys[at] & 0xFF) << 24
        | (keys[at + 1] & 0xFF) << 16
        | (keys[at + 2] & 0xFF) << 8
        | (keys[at + 3] & 0xFF);
  }
}
