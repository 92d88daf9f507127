package heddle.client.step;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** Content that nobody reads, because its response leads to another request. */
public final class UnwantedContent {
  /** So much is read to its end; a connection that is closed costs more than that. */
  private static final int SMALL = 32 << 10;

  private UnwantedContent() {}

  /**
   * Disposes of it: a little is read to its end, so that the connection can be used again, and more
   * is given up, with its connection where that carries one exchange at a time.
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
      // Nobody wants the content: its connection is lost, and the call goes on with another one.
    }
  }
}
