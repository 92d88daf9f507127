package heddle.bench.result;

import java.util.List;

/**
 * What a named experiment is about.
 *
 * @param name as the command takes it, such as {@code paced-1k}
 * @param title in a few words
 * @param shows what there is to be seen, in a paragraph
 * @param scale the share of the published size at which it ran
 * @param then figures that others published of the same experiment, on other machines; may be none
 */
public record Story(String name, String title, String shows, double scale, List<Then> then) {

  /** Keeps a copy of the list. */
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
