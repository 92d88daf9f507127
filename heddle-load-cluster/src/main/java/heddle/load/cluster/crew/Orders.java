package heddle.load.cluster.crew;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Orders that a member of a crew reads from its standard input: when to start, and to stop. The
 * input ends when the parent process ends for any reason, and the member then ends too.
 */
public final class Orders {

  static final String START = "start ";
  static final String STOP = "stop";

  private final BufferedReader in;

  /** Reads orders from this stream. */
  public Orders(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /**
   * Waits for the order to start, and returns the time to begin.
   *
   * @throws IOException if the input ends first, or holds something else
   */
  public Instant awaitStart() throws IOException {
    @Nullable String line = in.readLine();
    if (line == null) {
      throw new IOException("the process that started this member has ended");
    }
    try {
      if (line.startsWith(START)) {
        return Instant.parse(line.substring(START.length()));
      }
    } catch (DateTimeException e) {
      throw new IOException("the order to start has no valid time: " + line, e);
    }
    throw new IOException("expected the order to start, but read: " + line);
  }

  /**
   * Starts a thread that reads further orders.
   *
   * @param stop called on the order to stop
   * @param gone called when the input has ended
   */
  public void follow(Runnable stop, Runnable gone) {
    Thread.ofPlatform().daemon().name("crew-orders").start(() -> {
      try {
        for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.equals(STOP)) {
            stop.run();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the orders cannot be read", e);
      } finally {
        gone.run();
      }
    });
  }
}
