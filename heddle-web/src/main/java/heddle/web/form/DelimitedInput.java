package heddle.web.form;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a multipart body, cut at its delimiters (RFC 2046 section 5.1.1). Every octet is
 * compared a bounded number of times, however the content is made: a delimiter has a CR at its
 * start and nowhere else, so what has matched a part of it can be skipped.
 */
final class DelimitedInput {
  private static final int BUFFER = 16 << 10;

  private final InputStream in;
  private final byte[] delimiter;
  private final long maxBytes;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private long count;

  /**
   * @param boundary at most 70 octets
   */
  DelimitedInput(InputStream in, String boundary, long maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
    delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    // A delimiter at the very beginning has no line before it.
    buffer[limit++] = '\r';
    buffer[limit++] = '\n';
  }

  /** Reads content; -1 before a delimiter. A null target skips. */
  int readContent(byte @Nullable [] target, int offset, int length) throws IOException {
    int available = Math.min(available(), length);
    if (available == 0) {
      return -1;
    }
    if (target != null) {
      System.arraycopy(buffer, position, target, offset, available);
    }
    position += available;
    return available;
  }

  /** Whether no delimiter is at the position. */
  boolean isInContent() throws IOException {
    return available() > 0;
  }

  /** Writes the content up to a delimiter, but at most what fits into memory; -1 before one. */
  int writeContent(OutputStream out) throws IOException {
    int available = available();
    while (available == limit - position && available < buffer.length) {
      fill();
      available = available(available);
    }
    if (available == 0) {
      return -1;
    }
    out.write(buffer, position, available);
    position += available;
    return available;
  }

  /** How many octets from the position on are content: 0 if a delimiter is there. */
  private int available() throws IOException {
    return available(0);
  }

  /** The same if the first of these octets are {@code known} to be content. */
  private int available(int known) throws IOException {
    int from = position + known;
    while (true) {
      int cr = indexOfCr(from);
      if (cr > position && cr == limit) {
        return cr - position;
      }
      int matched = cr == limit ? 0 : matched(cr);
      if (matched == delimiter.length) {
        return cr - position;
      }
      if (cr + matched < limit) {
        from = cr + matched; // these octets hold no CR but the first
      } else if (cr > position) {
        return cr - position;
      } else {
        fill();
        from = position;
      }
    }
  }

  private int indexOfCr(int from) {
    int i = from;
    while (i < limit && buffer[i] != '\r') {
      i++;
    }
    return i;
  }

  private int matched(int start) {
    int matched = 0;
    while (matched < delimiter.length
        && start + matched < limit
        && buffer[start + matched] == delimiter[matched]) {
      matched++;
    }
    return matched;
  }

  /**
   * Skips the delimiter at the position and the rest of its line.
   *
   * @return whether a part follows; false if it was the last delimiter
   */
  boolean skipDelimiter() throws IOException {
    position += delimiter.length;
    int c = next();
    if (c == '-') {
      if (next() != '-') {
        throw afterBoundary();
      }
      return false;
    }
    while (c == ' ' || c == '\t') { // RFC 2046 section 5.1.1: transport padding
      c = next();
    }
    if (c != '\r' || next() != '\n') {
      throw afterBoundary();
    }
    return true;
  }

  private static FormException afterBoundary() {
    return FormException.malformed("a boundary is followed by neither '--' nor the end of its line:"
        + " a line of the content may begin with it");
  }

  /** Reads the next octet, also that of a delimiter. */
  int next() throws IOException {
    if (position == limit) {
      fill();
    }
    return buffer[position++] & 0xFF;
  }

  /** Adds at least one octet to the buffer. */
  private void fill() throws IOException {
    System.arraycopy(buffer, position, buffer, 0, limit - position);
    limit -= position;
    position = 0;
    // One octet more is read, to notice that there is too much.
    long allowed = Math.min(maxBytes - count, buffer.length) + 1;
    int room = (int) Math.min(buffer.length - limit, allowed);
    int read = in.read(buffer, limit, room);
    if (read < 0) {
      throw FormException.malformed(
          "the form ended without its last boundary", new EOFException("after " + count));
    }
    count += read;
    limit += read;
    if (count > maxBytes) {
      throw FormException.tooLarge("bytes", maxBytes, "maxBytes");
    }
  }
}
