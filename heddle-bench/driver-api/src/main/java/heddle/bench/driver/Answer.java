package heddle.bench.driver;

import java.io.IOException;
import java.io.InputStream;

/**
 * The answer to a request.
 *
 * @param status the status code, 100 to 999
 * @param bodyBytes how many bytes of content were read
 */
public record Answer(int status, long bodyBytes) {

  private static final int PIECE = 16 * 1024;

  /** A pause between two pieces of content. */
  @FunctionalInterface
  public interface Pause {

    /**
     * Returns when the next piece is wanted.
     *
     * @throws IOException if no more content is wanted
     */
    void await() throws IOException;
  }

  /** Bound around an exchange whose large answer is to be read slowly. */
  public static final ScopedValue<Pause> SLOWLY = ScopedValue.newInstance();

  private static final Pause NONE = () -> {};

  /**
   * Reads content to its end, a piece at a time, and discards it; with pauses if {@link #SLOWLY} is
   * bound. Does not close the stream.
   *
   * @throws IOException if the content cannot be read
   */
  public static Answer drain(int status, InputStream content) throws IOException {
    Pause pause = SLOWLY.orElse(NONE);
    byte[] piece = new byte[PIECE];
    long total = 0;
    for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
      total += read;
      pause.await();
    }
    return new Answer(status, total);
  }

  /** Whether the status is one of 200 to 299. */
  public boolean isSuccess() {
    return status >= 200 && status <= 299;
  }
}
