package heddle.bench.crew;

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
 * What a member of a crew is told on its standard input: when to begin, and to stop. The end of the
 * input is the end of whoever has started it, and so its own, however that one was ended.
 */
public final class Orders {

  static final String START = "start ";
  static final String STOP = "stop";

  private final BufferedReader in;

  /** Orders that come from this stream. */
  public Orders(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /**
   * Waits until it is told when to begin.
   *
   * @throws IOException when the input ends first, or holds something else
   */
  public Instant awaitStart() throws IOException {
    @Nullable String line = in.readLine();
    if (line == null) {
      throw new IOException("whoever has started this member of a crew is gone");
    }
    try {
      if (line.startsWith(START)) {
        return Instant.parse(line.substring(START.length()));
      }
    } catch (DateTimeException e) {
      throw new IOException("no time to begin at: " + line, e);
    }
    throw new IOException("told to do something else than to begin: " + line);
  }

  /**
   * Listens from now on, on a thread of its own.
   *
   * @param stop called when it is told to stop
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
