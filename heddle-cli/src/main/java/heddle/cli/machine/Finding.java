package heddle.cli.machine;

/**
 * The result of one check.
 *
 * @param status the severity
 * @param name the name of the check, such as {@code open files}
 * @param value the value seen
 * @param meaning what it means, in one sentence
 * @param action what to do; empty if nothing
 */
public record Finding(Status status, String name, String value, String meaning, String action) {

  /** The severity of a finding. */
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
