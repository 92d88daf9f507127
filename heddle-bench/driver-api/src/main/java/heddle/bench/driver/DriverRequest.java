package heddle.bench.driver;

import java.net.URI;

/**
 * What is asked again and again.
 *
 * @param uri absolute, http or https
 * @param contentLength how many bytes of content are sent along, in a POST; 0 for a GET
 * @param expectedLength how many bytes of content a complete answer has; -1 for any number
 */
public record DriverRequest(URI uri, int contentLength, long expectedLength) {

  private static final int LARGE = 64 * 1024;

  /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
  public DriverRequest {
    if (contentLength < 0 || expectedLength < -1) {
      throw new IllegalArgumentException(
          "lengths must not be negative: " + contentLength + ", " + expectedLength);
    }
  }

  /** A GET, whatever is answered. */
  public static DriverRequest get(URI uri) {
    return new DriverRequest(uri, 0, -1);
  }

  /** Whether content is sent. */
  public boolean isPost() {
    return contentLength > 0;
  }

  /**
   * Whether the answer is so large that a program would not gather it in one array: it is then read
   * through the client's stream, a piece at a time, and dropped.
   */
  public boolean isAnswerLarge() {
    return expectedLength >= LARGE;
  }

  /** The content to send: a new array. */
  public byte[] content() {
    byte[] content = new byte[contentLength];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) ('a' + i % 26);
    }
    return content;
  }
}
