package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses heads and trailer sections line by line, in the caller's buffer; only an incomplete line
 * is kept. Give the sessions of one loop the same instance as scratch, so that a head costs no
 * allocation beyond its fields. A session holds a separate one only while a head is cut. Not safe
 * for use by several threads.
 */
public final class HeadParser {
  enum Part {
    REQUEST,
    RESPONSE,
    TRAILERS
  }

  private static final byte[] NO_BYTES = {};
  private static final int MOST_SHOWN = 2048;

  final FieldRules rules = new FieldRules();
  final StartLine startLine = new StartLine();
  private final Headers.Builder fields = Headers.builder();
  private Part part = Part.REQUEST;
  private Limits limits = Limits.DEFAULTS;
  private int maxBytes;
  private boolean inFields;
  private boolean skippedEmptyLine;

  // RFC 9112 §5.2: whether a value may go on in the next line; whether one did; what is wrong with
  // the last field unless it goes on.
  private boolean mayFold;
  private boolean folded;
  private @Nullable ProtocolException fault;

  private int taken; // bytes of the part in lines that are complete
  private byte[] line = NO_BYTES; // begins with an incomplete line
  private int lineLength;

  public HeadParser() {}

  /**
   * Starts a new head or trailer section of at most {@code newMaxBytes}.
   *
   * @param newMayFold whether a field's value may go on in the next line: never in a request
   */
  void begin(Part newPart, Limits newLimits, int newMaxBytes, boolean newMayFold) {
    part = newPart;
    mayFold = newMayFold;
    folded = false;
    fault = null;
    limits = newLimits;
    maxBytes = newMaxBytes;
    inFields = newPart == Part.TRAILERS;
    skippedEmptyLine = false;
    taken = 0;
    lineLength = 0;
    line = NO_BYTES;
    fields.clear();
    rules.reset();
  }

  /** Whether nothing has come yet but the empty line that may precede a request. */
  boolean isBlank() {
    return lineLength == 0 && !inFields;
  }

  /** The bytes of the part that have come so far. */
  int received() {
    return taken + lineLength;
  }

  /** Whether all of its first line has come. */
  boolean isInFields() {
    return inFields;
  }

  /**
   * The request line for logs: the first {@value #MOST_SHOWN} bytes of what has come of it, unless
   * it was parsed.
   *
   * @param in what was not taken
   */
  String requestLine(ByteBuffer in) {
    if (inFields) {
      return startLine.method + " " + startLine.target + " " + startLine.version;
    }
    ByteBuffer come = lineLength > 0 ? ByteBuffer.wrap(line, 0, lineLength) : in.duplicate();
    StringBuilder shown = new StringBuilder();
    while (come.hasRemaining() && shown.length() < MOST_SHOWN) {
      char c = (char) (come.get() & 0xFF);
      if (c != '\r' && c != '\n') {
        shown.append(c);
      } else if (!shown.isEmpty()) {
        break;
      }
    }
    return shown.toString();
  }

  /** The fields of a section that is complete. */
  Headers headers() {
    return fields.build();
  }

  /** Returns the index after the section's empty line, or -1 when all was taken and more is due. */
  int feed(byte[] buf, int from, int to) throws ProtocolException {
    int at = from;
    while (at < to) {
      int lf = Octets.indexOf(buf, at, to, '\n');
      if (lf < 0) {
        keep(buf, at, to);
        return -1;
      }
      boolean last;
      if (lineLength > 0) {
        keep(buf, at, lf + 1);
        last = takeLine(line, 0, lineLength - 1);
        lineLength = 0;
      } else {
        if (!inFields) {
          checkFirstByte(buf[at]);
        }
        checkSize(lf + 1 - at);
        last = takeLine(buf, at, lf);
      }
      at = lf + 1;
      if (last) {
        return at;
      }
    }
    return -1;
  }

  private void keep(byte[] buf, int from, int to) throws ProtocolException {
    int added = to - from;
    if (lineLength == 0 && !inFields) {
      checkFirstByte(buf[from]);
    }
    checkSize(lineLength + added);
    if (lineLength + added > line.length) {
      line = Arrays.copyOf(line, Math.max(lineLength + added, Math.min(maxBytes, 2 * line.length)));
    }
    System.arraycopy(buf, from, line, lineLength, added);
    lineLength += added;
  }

  /** A peer that speaks something else may never send a line ending: refuse it at once. */
  private void checkFirstByte(int c) throws ProtocolException {
    boolean plausible =
        switch (part) {
          case REQUEST -> Octets.isToken(c) || c == '\r' || c == '\n';
          case RESPONSE -> c == 'H';
          case TRAILERS -> true;
        };
    if (!plausible) {
      throw Violation.MALFORMED_START_LINE.because(Octets.describe(c & 0xFF)
          + " does not begin an HTTP/1.x " + (part == Part.REQUEST ? "request" : "response"));
    }
  }

  private void checkSize(int length) throws ProtocolException {
    if (!inFields) {
      // The head's bound may be the smaller one; then it holds for the start line too.
      int most = Math.min(limits.maxStartLineBytes(), maxBytes - 2);
      if (length > most + 2) {
        throw Violation.START_LINE_TOO_LONG.because(
            "the start line is longer than " + most + " bytes");
      }
    }
    if (length > maxBytes - taken) {
      throw part == Part.TRAILERS
          ? Violation.CHUNK_OVERHEAD_TOO_LARGE.because(
              "chunk extensions and trailers take more than " + limits.maxChunkOverheadBytes()
                  + " bytes")
          : Violation.HEAD_TOO_LARGE.because("the head is longer than " + maxBytes + " bytes");
    }
  }

  /** Parses one line that ends with the LF at {@code lf}; returns whether it was the last. */
  private boolean takeLine(byte[] buf, int from, int lf) throws ProtocolException {
    int end = lf - 1;
    if (end < from || buf[end] != '\r') {
      // RFC 9112 §2.2 allows a bare LF; recipients that differ there can be made to disagree.
      throw Violation.BARE_LINE_ENDING.because("LF without CR" + at(lf - from));
    }
    if (end == from) {
      return takeEmptyLine();
    }
    if (inFields) {
      takeField(buf, from, end);
    } else {
      takeStartLine(buf, from, end - from);
    }
    taken += lf + 1 - from;
    return false;
  }

  private boolean takeEmptyLine() throws ProtocolException {
    if (inFields) {
      checkLast();
      taken += 2;
      return true;
    }
    if (part == Part.RESPONSE || skippedEmptyLine) {
      throw Violation.MALFORMED_START_LINE.because(
          "an empty line stands where a start line is due");
    }
    skippedEmptyLine = true; // RFC 9112 §2.2: at least one empty line before a request line
    return false;
  }

  private void takeStartLine(byte[] buf, int off, int len) throws ProtocolException {
    int cr = Octets.indexOf(buf, off, off + len, '\r');
    if (cr >= 0) {
      throw Violation.BARE_LINE_ENDING.because("CR without LF" + at(cr - off));
    }
    if (part == Part.REQUEST) {
      startLine.parseRequest(buf, off, len);
    } else {
      startLine.parseStatus(buf, off, len);
    }
    inFields = true;
  }

  private void takeField(byte[] buf, int from, int end) throws ProtocolException {
    if (Octets.isBlank(buf[from])) {
      takeFold(buf, from, end);
      return;
    }
    if (fault != null) {
      throw fault;
    }
    if (fields.size() == limits.maxFields()) {
      throw Violation.TOO_MANY_FIELDS.because("more than " + limits.maxFields() + " field lines");
    }
    int colon = Octets.indexOf(buf, from, end, ':');
    if (colon < 0) {
      throw Violation.MALFORMED_FIELD.because("a field line without a colon" + at(0));
    }
    int valueStart = Octets.skipBlanks(buf, colon + 1, end);
    int valueEnd = Octets.skipBlanksBack(buf, valueStart, end);
    HeaderName name;
    try {
      // RFC 9112 §5.1: white space before the colon is no part of a token and so refused.
      name = HeaderName.of(buf, from, colon - from);
      fields.add(name, buf, valueStart, valueEnd - valueStart);
    } catch (IllegalArgumentException e) {
      throw malformed(buf, from, end, e);
    }
    if (part != Part.TRAILERS && !folded) {
      try {
        rules.accept(name, buf, valueStart, valueEnd - valueStart);
      } catch (ProtocolException e) {
        if (!mayFold) {
          throw e;
        }
        fault = e;
      }
    }
  }

  /** RFC 9112 §5.2: a user agent replaces the line ending by a space, a server refuses it. */
  private void takeFold(byte[] buf, int from, int end) throws ProtocolException {
    if (!mayFold || fields.size() == 0) {
      throw Violation.OBSOLETE_FOLDING.because("a field line begins with white space" + at(0));
    }
    folded = true;
    fault = null;
    int start = Octets.skipBlanks(buf, from, end);
    try {
      fields.fold(buf, start, Octets.skipBlanksBack(buf, start, end) - start);
    } catch (IllegalArgumentException e) {
      throw malformed(buf, from, end, e);
    }
  }

  /** At the end: if a value was folded, the rules have not seen it and those behind it. */
  private void checkLast() throws ProtocolException {
    if (fault != null) {
      throw fault;
    }
    if (folded && part != Part.TRAILERS) {
      rules.reset();
      Headers all = fields.build();
      for (int i = 0; i < all.size(); i++) {
        byte[] value = new byte[all.valueLength(i)];
        all.copyValue(i, value, 0);
        rules.accept(all.name(i), value, 0, value.length);
      }
    }
  }

  private ProtocolException malformed(
      byte[] buf, int from, int end, IllegalArgumentException cause) {
    boolean hasCr = Octets.indexOf(buf, from, end, '\r') >= 0;
    return (hasCr ? Violation.BARE_LINE_ENDING : Violation.MALFORMED_FIELD)
        .because("a field line is malformed" + at(0) + ": " + cause.getMessage());
  }

  private String at(int inLine) {
    return " at byte " + (taken + inLine)
        + (part == Part.TRAILERS ? " of the trailers" : " of the head");
  }
}
