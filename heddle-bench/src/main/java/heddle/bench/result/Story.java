package heddle.bench.result;

import java.util.List;

/**
 * The description of a named experiment.
 *
 * @param name its name on the command line, such as {@code paced-1k}
 * @param title a short title
 * @param shows what it shows, in a paragraph
 * @param scale the share of the published size at which it ran
 * @param then published figures of the same experiment on other machines; may be empty
 */
public record Story(String name, String title, String shows, double scale, List<Then> then) {

  /** Copies the list. */
  public Story {
    then = List.copyOf(then);
  }

  /**
   * A published figure.
   *
   * @param who such as {@code Apache, a platform thread for each request}
   * @param what such as {@code time, maximum and average}
   * @param value with its unit, such as {@code 7139 and 2359 ms}
   */
  public record Then(String who, String what, String value) {}
}
