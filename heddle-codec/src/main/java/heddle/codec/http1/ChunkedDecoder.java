package heddle.codec.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.Limits;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes the chunks (RFC 9112 §7.1) of one message's content, up to the trailer section. */
final class ChunkedDecoder {
  private static final int MAX_SIZE_DIGITS = 16; // enough for 2^63-1

  private enum State {
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILERS
  }

  private final Limits limits;
  private final ChunkRate rate;
  private State state = State.SIZE;
  private int digits;
  private long remaining;
  private long received;
  private int overhead; // bytes of extensions so far
  private boolean quoted; // an extension's quoted string is open
  private boolean escaped; // and its next byte is

  ChunkedDecoder(Limits limits, ChunkRate rate) {
    this.limits = limits;
    this.rate = rate;
  }

  /** Bytes of content decoded so far. */
  long received() {
    return received;
  }

  /** The bytes that the trailer section may take, or -1 until the last chunk has come. */
  int trailerBytes() {
    // The empty line at the end is no trailer.
    return state == State.TRAILERS ? limits.maxChunkOverheadBytes() - overhead + 2 : -1;
  }

  /** The next piece of content; null when all input or the last chunk is consumed. */
  Event.@Nullable Data next(ByteBuffer in, long nowNanos) throws ProtocolException {
    while (in.hasRemaining() && state != State.TRAILERS) {
      if (state == State.DATA) {
        return data(in);
      }
      step(in.get(), nowNanos);
    }
    return null;
  }

  private Event.Data data(ByteBuffer in) {
    int length = (int) Math.min(remaining, in.remaining());
    ByteBuffer piece = in.slice(in.position(), length);
    in.position(in.position() + length);
    remaining -= length;
    received += length;
    if (remaining == 0) {
      state = State.DATA_CR;
    }
    return new Event.Data(piece);
  }

  /** Takes one byte of the framing around content: size, extension or CRLF. */
  private void step(int c, long nowNanos) throws ProtocolException {
    switch (state) {
      case SIZE -> size(c);
      case EXTENSION -> extension(c);
      case SIZE_LF -> {
        expect('\n', c, "after a chunk size");
        if (remaining > 0) {
          rate.count(remaining, nowNanos);
        }
        state = remaining == 0 ? State.TRAILERS : State.DATA;
        digits = 0;
      }
      case DATA_CR -> {
        expect('\r', c, "after a chunk's content");
        state = State.DATA_LF;
      }
      case DATA_LF -> {
        expect('\n', c, "after a chunk's content");
        state = State.SIZE;
      }
      case DATA, TRAILERS -> throw new IllegalStateException("not framing: " + state);
    }
  }

  private void size(int c) throws ProtocolException {
    int digit = Octets.isHex(c) ? Character.digit(c, 16) : -1;
    if (digit >= 0) {
      // The top nibble may at most be 7: beyond that the length is above 2^63-1.
      if (++digits > MAX_SIZE_DIGITS || remaining > Long.MAX_VALUE >> 4) {
        throw malformed("a chunk size above 2^63-1");
      }
      remaining = remaining << 4 | digit;
    } else if (digits == 0) {
      throw malformed("a chunk size begins with " + Octets.describe(c & 0xFF));
    } else if (c == '\r') {
      state = State.SIZE_LF;
    } else if (c == ';') {
      state = State.EXTENSION;
      countOverhead();
    } else {
      // RFC 9112 §7.1.1 has recipients skip blanks before ';': a chunk size that two recipients
      // end at different bytes is how requests are smuggled, and no known sender writes them.
      throw malformed(Octets.describe(c & 0xFF) + " after a chunk size");
    }
  }

  private void extension(int c) throws ProtocolException {
    if (c == '\r') {
      if (quoted) {
        // A recipient that looks for the closing quote would end the chunk's line elsewhere.
        throw malformed("CR in a quoted string of a chunk extension");
      }
      state = State.SIZE_LF;
    } else if (Octets.isFieldValue(c & 0xFF)) {
      countOverhead();
      trackQuotes(c);
    } else {
      throw malformed(Octets.describe(c & 0xFF) + " in a chunk extension");
    }
  }

  /** RFC 9110 §5.6.4: within quotes a backslash escapes the byte after it. */
  private void trackQuotes(int c) {
    if (escaped) {
      escaped = false;
    } else if (c == '"') {
      quoted = !quoted;
    } else {
      escaped = quoted && c == '\\';
    }
  }

  /** RFC 9112 §7.1.1: a recipient ought to limit the length of chunk extensions. */
  private void countOverhead() throws ProtocolException {
    if (++overhead > limits.maxChunkOverheadBytes()) {
      throw Violation.CHUNK_OVERHEAD_TOO_LARGE.because(
          "chunk extensions take more than " + limits.maxChunkOverheadBytes() + " bytes");
    }
  }

  private void expect(int expected, int c, String where) throws ProtocolException {
    if (c != expected) {
      throw malformed(
          Octets.describe(c & 0xFF) + " " + where + ", expected " + Octets.describe(expected));
    }
  }

  private ProtocolException malformed(String what) {
    return Violation.MALFORMED_CHUNK.because(
        what + ", after " + received + " bytes of chunked content");
  }
}
