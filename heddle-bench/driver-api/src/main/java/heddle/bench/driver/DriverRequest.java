package heddle.bench.driver;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The request of a load.
 *
 * @param uri an absolute http or https URI
 * @param contentLength how many bytes of content to send in a POST; 0 for a GET
 * @param expectedLength how many bytes of content a complete answer has; -1 for any length
 * @param contentType the content type; null for the client's default
 */
public record DriverRequest(
    URI uri, int contentLength, long expectedLength, @Nullable String contentType) {

  /** The type of content that is a JSON object. */
  public static final String JSON = "application/json";

  private static final int LARGE = 64 * 1024;
  private static final int MIN_JSON = 2;
  private static final byte[] JSON_HEAD = "{\"text\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] JSON_TAIL = "\"}".getBytes(StandardCharsets.US_ASCII);

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public DriverRequest {
    if (contentLength < 0 || expectedLength < -1) {
      throw new IllegalArgumentException(
          "lengths must not be negative: " + contentLength + ", " + expectedLength);
    }
    if (contentType != null && contentLength < (JSON.equals(contentType) ? MIN_JSON : 1)) {
      throw new IllegalArgumentException(
          contentLength + " bytes are not content of the type " + contentType);
    }
  }

  /** Creates a request without a content type. */
  public DriverRequest(URI uri, int contentLength, long expectedLength) {
    this(uri, contentLength, expectedLength, null);
  }

  /** A GET with an answer of any length. */
  public static DriverRequest get(URI uri) {
    return new DriverRequest(uri, 0, -1);
  }

  /** Whether it sends content. */
  public boolean isPost() {
    return contentLength > 0;
  }

  /**
   * Whether the answer is so large that a program would not collect it in one array; it is then
   * read through the client's stream, a piece at a time, and discarded.
   */
  public boolean isAnswerLarge() {
    return expectedLength >= LARGE;
  }

  /**
   * The content to send, as a new array. For the type {@link #JSON} it is an object with one string
   * field, or an empty object if there is no room for that; otherwise letters.
   */
  public byte[] content() {
    byte[] content = new byte[contentLength];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) ('a' + i % 26);
    }
    if (JSON.equals(contentType)) {
      enclose(content);
    }
    return content;
  }

  private static void enclose(byte[] content) {
    int tail = content.length - JSON_TAIL.length;
    if (tail < JSON_HEAD.length) {
      Arrays.fill(content, (byte) ' ');
      content[0] = '{';
      content[content.length - 1] = '}';
    } else {
      System.arraycopy(JSON_HEAD, 0, content, 0, JSON_HEAD.length);
      System.arraycopy(JSON_TAIL, 0, content, tail, JSON_TAIL.length);
    }
  }
}
