package heddle.cli.machine;

/**
 * The result of one check.
 *
 * @param status how good it is
 * @param name of what was checked, such as {@code open files}
 * @param value what was seen
 * @param meaning what it means, in one sentence
 * @param action what to do; empty if nothing
 */
public record Finding(Status status, String name, String value, String meaning, String action) {

  /** How good a value is. */
  public enum Status {
    /** Nothing to do. */
    OK,
    /** It works, but not at full size or speed. */
    WARNING,
    /** It cannot work. */
    PROBLEM
  }

  /** In one line, without a full stop at its end. */
  public String line() {
    String line = name + " " + value + ": " + meaning;
    String all = action.isEmpty() ? line : line + " To do: " + action;
    return all.endsWith(".") ? all.substring(0, all.length() - 1) : all;
  }
}
