package heddle.load;

import java.time.Duration;

/**
 * The outcome of a warm-up.
 *
 * @param took how long it lasted
 * @param isQuiet whether it ended because the client was warm, and not because the time was over
 * @param isAnswered whether any request was answered
 * @param failure the last failure of a request; empty if there was none
 */
public record Warmth(Duration took, boolean isQuiet, boolean isAnswered, String failure) {

  /** Decides whether a client is warm; called between the windows of its warm-up. */
  @FunctionalInterface
  public interface Rest {

    /** Whether nothing has changed recently. May wait until pending changes are done. */
    boolean isAtRest() throws InterruptedException;
  }
}
