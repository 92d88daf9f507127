package heddle.bench.driver;

import java.io.IOException;
import java.io.InputStream;

/** What a server under test answers, the same for all of them. Safe for use by many threads. */
@FunctionalInterface
public interface Routes {

  /**
   * Answers a request on the calling thread, which may have to wait.
   *
   * @param method such as {@code GET}
   * @param target the path and query
   * @param content of the request; empty if there is none
   * @throws IOException if the content cannot be read
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  Reply answer(String method, String target, InputStream content)
      throws IOException, InterruptedException;
}
