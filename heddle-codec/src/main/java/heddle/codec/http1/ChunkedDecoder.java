package heddle.codec.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.TrailerRules;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the chunked coding (RFC 9112 §7.1) of one message's content. Lives as long as that
 * content. Applies {@link TrailerRules} to its trailers.
 */
final class ChunkedDecoder {
  /** Sixteen hexadecimal digits hold every length up to 2^63-1, with leading zeros to spare. */
  private static final int MAX_SIZE_DIGITS = 16;

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

  /** Bytes of extensions so far, then of trailers too. */
  private int overhead;

  /** Whether an extension's quoted string is open, and whether its next byte is escaped. */
  private boolean quoted;

  private boolean escaped;

  /** Holds trailers that are cut; null otherwise. */
  private @Nullable HeadParser partial;

  ChunkedDecoder(Limits limits, ChunkRate rate) {
    this.limits = limits;
    this.rate = rate;
  }

  /** Bytes of content decoded so far. */
  long received() {
    return received;
  }

  /** The next piece of content or the end; null when all input is consumed. */
  @Nullable
  Event next(ByteBuffer in, @Nullable HeadParser scratch, long nowNanos) throws ProtocolException {
    while (in.hasRemaining()) {
      switch (state) {
        case DATA -> {
          return data(in);
        }
        case TRAILERS -> {
          return trailers(in, scratch);
        }
        default -> step(in.get(), nowNanos);
      }
    }
    return null;
  }

  private Event data(ByteBuffer in) {
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
    int digit = hex(c);
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
      throw new ProtocolException(
          Violation.CHUNK_OVERHEAD_TOO_LARGE,
          "chunk extensions take more than " + limits.maxChunkOverheadBytes() + " bytes");
    }
  }

  private static int hex(int c) {
    if (Octets.isDigit(c)) {
      return c - '0';
    }
    return Octets.isHex(c) ? (c | 0x20) - 'a' + 10 : -1;
  }

  private void expect(int expected, int c, String where) throws ProtocolException {
    if (c != expected) {
      throw malformed(
          Octets.describe(c & 0xFF) + " " + where + ", expected " + Octets.describe(expected));
    }
  }

  private ProtocolException malformed(String what) {
    return new ProtocolException(
        Violation.MALFORMED_CHUNK, what + ", after " + received + " bytes of chunked content");
  }

  private Event.@Nullable End trailers(ByteBuffer in, @Nullable HeadParser scratch)
      throws ProtocolException {
    byte[] buf = in.array();
    int from = in.arrayOffset() + in.position();
    int to = in.arrayOffset() + in.limit();
    HeadParser parser = partial;
    if (parser == null) {
      if (to - from >= 2 && buf[from] == '\r' && buf[from + 1] == '\n') {
        in.position(in.position() + 2);
        return Event.End.NONE;
      }
      parser = begin(scratch != null ? scratch : new HeadParser());
    }
    int end = parser.feed(buf, from, to);
    if (end < 0) {
      if (parser == scratch) {
        // The scratch serves other sessions before the rest comes.
        parser = begin(new HeadParser());
        parser.feed(buf, from, to);
      }
      partial = parser;
      in.position(in.limit());
      return null;
    }
    in.position(end - in.arrayOffset());
    partial = null;
    Headers trailers = permitted(parser.headers());
    return trailers.isEmpty() ? Event.End.NONE : new Event.End(trailers);
  }

  private HeadParser begin(HeadParser parser) {
    // The empty line at the end is no trailer.
    parser.begin(HeadParser.Part.TRAILERS, limits, limits.maxChunkOverheadBytes() - overhead + 2);
    return parser;
  }

  private static Headers permitted(Headers trailers) throws ProtocolException {
    HeaderName refused = TrailerRules.refused(trailers);
    if (refused != null) {
      throw new ProtocolException(
          Violation.FORBIDDEN_TRAILER, refused + " may not be a trailer field");
    }
    return TrailerRules.withoutDropped(trailers);
  }
}
