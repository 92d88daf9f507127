package heddle.bench.experiment;

import heddle.bench.driver.DriverRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The request of a cell.
 *
 * @param path the path, with a query if any
 * @param contentLength how many bytes to post; 0 for a GET
 * @param answerLength how many bytes a complete answer has; -1 for any length
 * @param contentType of the posted content; null for the client's default
 */
public record Ask(String path, int contentLength, int answerLength, @Nullable String contentType) {

  /** A GET. */
  public static Ask get(String path, int answerLength) {
    return new Ask(path, 0, answerLength, null);
  }

  /** A POST whose answer is empty. */
  public static Ask post(String path, int contentLength) {
    return new Ask(path, contentLength, 0, null);
  }

  /** The request to this server. */
  DriverRequest of(URI base) {
    return new DriverRequest(base.resolve(path), contentLength, answerLength, contentType);
  }

  String method() {
    return contentLength > 0 ? "POST" : "GET";
  }

  /** Bytes of content of an exchange, sent and received. */
  long bytes() {
    return contentLength + (long) Math.max(0, answerLength);
  }
}
