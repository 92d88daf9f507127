package heddle.client.step;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** Content that is not read, because its response leads to another request. */
public final class UnwantedContent {
  /** Up to this many bytes are read: opening another connection costs more than that. */
  private static final int SMALL = 32 << 10;

  private UnwantedContent() {}

  /**
   * Reads small content to its end, so that the connection can be used again. Gives up larger
   * content, which closes the connection if it carries one exchange at a time.
   *
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  public static void dispose(Body body) throws InterruptedIOException {
    try (body) {
      if (body.length() == Body.UNKNOWN) {
        try (InputStream content = body.stream()) {
          content.readNBytes(SMALL);
        }
      } else if (body.length() <= SMALL) {
        body.discard();
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // The content is not needed: the connection is lost, and the call continues with another one.
    }
  }
}
