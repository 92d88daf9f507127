package heddle.bench.load;

import java.time.Duration;

/**
 * What a warm-up came to.
 *
 * @param took how long it lasted
 * @param isQuiet whether it ended because nothing changed any more, and not for want of time
 * @param isAnswered whether any request was answered
 * @param failure how a request failed last; empty where none did
 */
public record Warmth(Duration took, boolean isQuiet, boolean isAnswered, String failure) {

  /** Whether a client is warm; asked between the windows of its warm-up. */
  @FunctionalInterface
  public interface Rest {

    /** Whether nothing has changed of late. May wait until what has begun to change is done. */
    boolean isAtRest() throws InterruptedException;
  }
}
