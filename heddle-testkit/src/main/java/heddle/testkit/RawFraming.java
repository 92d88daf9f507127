package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where a well-formed HTTP/1.1 message ends (RFC 9112 §6.3). It is there to cut text for a
 * test to look at, and shares nothing with the parser under test.
 */
final class RawFraming {
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length:[ \t]*([0-9]+)[ \t]*\r\n", Pattern.CASE_INSENSITIVE);
  private static final Pattern CHUNKED = Pattern.compile(
      "\r\ntransfer-encoding:[^\r\n]*\\bchunked[ \t]*\r\n", Pattern.CASE_INSENSITIVE);
  private static final Pattern NO_CONTENT = Pattern.compile("HTTP/1\\.[01] (1[0-9]{2}|204|304)\\b");

  private RawFraming() {}

  /** The length of the head with the empty line that ends it, once that has come. */
  static OptionalInt headLength(byte[] received) {
    int end = new String(received, ISO_8859_1).indexOf("\r\n\r\n");
    return end < 0 ? OptionalInt.empty() : OptionalInt.of(end + 4);
  }

  /**
   * The length of the first message, once all of it has come.
   *
   * @param over whether nothing more can come, which ends a response of unknown length
   */
  static OptionalInt messageLength(byte[] received, boolean over) {
    OptionalInt head = headLength(received);
    if (head.isEmpty()) {
      return head;
    }
    String text = new String(received, ISO_8859_1);
    String fields = text.substring(0, head.getAsInt());
    if (NO_CONTENT.matcher(fields).lookingAt()) {
      return head;
    }
    if (CHUNKED.matcher(fields).find()) {
      return chunkedEnd(text, head.getAsInt());
    }
    Matcher length = LENGTH.matcher(fields);
    if (length.find()) {
      return upTo(head.getAsInt() + Integer.parseInt(length.group(1)), received.length);
    }
    if (!fields.toUpperCase(Locale.ROOT).startsWith("HTTP/")) {
      return head;
    }
    return over ? OptionalInt.of(received.length) : OptionalInt.empty();
  }

  private static OptionalInt upTo(int end, int available) {
    return end <= available ? OptionalInt.of(end) : OptionalInt.empty();
  }

  private static OptionalInt chunkedEnd(String text, int from) {
    int at = from;
    while (true) {
      int lineEnd = text.indexOf("\r\n", at);
      if (lineEnd < 0) {
        return OptionalInt.empty();
      }
      String sizeText = text.substring(at, lineEnd).split("[; \t]", 2)[0];
      int size = chunkSize(sizeText);
      if (size == 0) {
        return trailersEnd(text, lineEnd);
      }
      at = lineEnd + 2 + size + 2;
    }
  }

  private static int chunkSize(String text) {
    try {
      return Integer.parseUnsignedInt(text, 16);
    } catch (NumberFormatException e) {
      throw new AssertionError("not a chunk size: \"" + text + "\"", e);
    }
  }

  /** Trailers end with an empty line, which may follow the last chunk's line at once. */
  private static OptionalInt trailersEnd(String text, int lastChunkLineEnd) {
    int end = text.indexOf("\r\n\r\n", lastChunkLineEnd);
    return end < 0 ? OptionalInt.empty() : OptionalInt.of(end + 4);
  }
}
