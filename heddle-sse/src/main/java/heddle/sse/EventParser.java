package heddle.sse;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of events (HTML standard, section 9.2.6). An event counts when the empty line
 * after it has arrived: what the stream breaks off is dropped. For one thread.
 */
final class EventParser {
  private static final int BUFFER_BYTES = 8 * 1024;

  /** More memory than this is not kept for the next event. */
  private static final int KEPT_BYTES = 64 * 1024;

  private static final int MAX_RETRY_DIGITS = 18;

  private static final byte[] DATA = "data".getBytes(US_ASCII);
  private static final byte[] EVENT = "event".getBytes(US_ASCII);
  private static final byte[] ID = "id".getBytes(US_ASCII);
  private static final byte[] RETRY = "retry".getBytes(US_ASCII);
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final InputStream in;
  private final int maxEventBytes;

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private boolean afterCarriageReturn;
  private boolean atStart = true;

  /** A line that is not whole in the buffer. */
  private byte[] line = {};

  private int lineLength;

  // The event that the lines so far make: each line of its data ends with a line feed.
  private byte[] data = {};
  private int dataLength;
  private String type = "";
  private String id;

  private String lastEventId;
  private @Nullable Duration retry;

  /**
   * @param lastEventId the id of events before the stream gives one
   * @param maxEventBytes the limit for an event's data and for a line
   */
  EventParser(InputStream in, String lastEventId, int maxEventBytes) {
    this.in = in;
    this.id = lastEventId;
    this.lastEventId = lastEventId;
    this.maxEventBytes = maxEventBytes;
  }

  /** The id of the event that ended last, or of an empty one after it. */
  String lastEventId() {
    return lastEventId;
  }

  /** How long to wait before connecting again, as the stream has last said; null if not at all. */
  @Nullable
  Duration retry() {
    return retry;
  }

  /**
   * Waits for the next event; null at the end of the stream.
   *
   * @throws EventTooLargeException if it is larger than allowed
   */
  @Nullable
  ServerSentEvent next() throws IOException {
    while (hasInput()) {
      int end = endOfLine();
      if (end == limit) {
        keep(end);
        position = limit;
        continue;
      }
      ServerSentEvent event = takeLine(end);
      if (event != null) {
        return event;
      }
    }
    return null;
  }

  private boolean hasInput() throws IOException {
    if (position < limit) {
      return true;
    }
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, BUFFER_BYTES));
    if (afterCarriageReturn && limit > 0) {
      // Its line has ended already: a stream may pause between the two.
      position = buffer[0] == '\n' ? 1 : 0;
      afterCarriageReturn = false;
    }
    return position < limit || (limit > 0 && hasInput());
  }

  /** The index of the next end of a line; the limit if there is none. */
  private int endOfLine() {
    int at = position;
    while (at < limit && buffer[at] != '\n' && buffer[at] != '\r') {
      at++;
    }
    return at;
  }

  private void keep(int end) throws EventTooLargeException {
    int count = end - position;
    requireRoom((long) lineLength + count);
    line = withRoom(line, lineLength, count);
    System.arraycopy(buffer, position, line, lineLength, count);
    lineLength += count;
  }

  private void requireRoom(long bytes) throws EventTooLargeException {
    if (bytes > maxEventBytes) {
      throw new EventTooLargeException(maxEventBytes);
    }
  }

  private static byte[] withRoom(byte[] bytes, int length, int more) {
    return bytes.length - length >= more
        ? bytes
        : Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
  }

  private @Nullable ServerSentEvent takeLine(int end) throws EventTooLargeException {
    byte[] from = buffer;
    int start = position;
    int stop = end;
    if (lineLength > 0) {
      keep(end);
      from = line;
      start = 0;
      stop = lineLength;
      lineLength = 0;
    }
    requireRoom(stop - start);
    position = end + 1;
    if (buffer[end] == '\r') {
      afterCarriageReturn = position == limit;
      position += position < limit && buffer[position] == '\n' ? 1 : 0;
    }
    if (atStart) {
      atStart = false;
      start += matches(from, start, Math.min(stop, start + 3), BYTE_ORDER_MARK) ? 3 : 0;
    }
    if (start == stop) {
      return dispatch();
    }
    field(from, start, stop);
    return null;
  }

  private static boolean matches(byte[] bytes, int from, int to, byte[] expected) {
    return Arrays.equals(bytes, from, to, expected, 0, expected.length);
  }

  /** A line that is not empty; a comment begins with a colon, so that its field has no name. */
  private void field(byte[] from, int start, int stop) throws EventTooLargeException {
    int colon = start;
    while (colon < stop && from[colon] != ':') {
      colon++;
    }
    int value = Math.min(colon + 1, stop);
    value += value < stop && from[value] == ' ' ? 1 : 0;
    if (matches(from, start, colon, DATA)) {
      appendData(from, value, stop);
    } else if (matches(from, start, colon, EVENT)) {
      type = text(from, value, stop);
    } else if (matches(from, start, colon, ID)) {
      String given = text(from, value, stop);
      id = given.indexOf('\0') < 0 ? given : id;
    } else if (matches(from, start, colon, RETRY)) {
      retry(text(from, value, stop));
    }
  }

  private static String text(byte[] from, int start, int stop) {
    return new String(from, start, stop - start, UTF_8);
  }

  private void appendData(byte[] from, int start, int stop) throws EventTooLargeException {
    int count = stop - start;
    requireRoom((long) dataLength + count);
    data = withRoom(data, dataLength, count + 1);
    System.arraycopy(from, start, data, dataLength, count);
    dataLength += count;
    data[dataLength++] = '\n';
  }

  private void retry(String digits) {
    boolean valid = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (valid) {
      // What is longer is so long that it does not matter.
      String bounded = digits.substring(0, Math.min(digits.length(), MAX_RETRY_DIGITS));
      retry = Duration.ofMillis(Long.parseLong(bounded));
    }
  }

  /** An empty line: the event has ended, if it has data. */
  private @Nullable ServerSentEvent dispatch() {
    lastEventId = id;
    ServerSentEvent event = dataLength == 0
        ? null
        : new ServerSentEvent(
            type.isEmpty() ? "message" : type, text(data, 0, dataLength - 1), lastEventId);
    type = "";
    dataLength = 0;
    data = data.length > KEPT_BYTES ? new byte[0] : data;
    line = line.length > KEPT_BYTES ? new byte[0] : line;
    return event;
  }
}
