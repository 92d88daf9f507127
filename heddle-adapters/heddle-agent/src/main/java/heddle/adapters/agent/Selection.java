package heddle.adapters.agent;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the arguments of the agent select.
 *
 * @param targets what to replace
 * @param quiet whether nothing is printed
 * @param unknown arguments that have no meaning
 */
record Selection(Set<Target> targets, boolean quiet, List<String> unknown) {
  /** What can be replaced. */
  enum Target {
    JDK("java.net.http"),
    URLCONNECTION("HttpURLConnection");

    private final String title;

    Target(String title) {
      this.title = title;
    }

    /** The name in messages. */
    String title() {
      return title;
    }
  }

  /** Reads arguments such as {@code jdk,quiet} or {@code -jdk}. */
  static Selection of(String arguments) {
    Set<Target> named = EnumSet.noneOf(Target.class);
    Set<Target> without = EnumSet.noneOf(Target.class);
    List<String> unknown = new ArrayList<>();
    boolean quiet = false;
    for (String each : arguments.split(",", -1)) {
      String argument = each.strip().toLowerCase(Locale.ROOT);
      boolean minus = argument.startsWith("-");
      switch (minus ? argument.substring(1) : argument) {
        case "" -> {}
        case "quiet" -> quiet = !minus;
        case "jdk" -> (minus ? without : named).add(Target.JDK);
        case "urlconnection" -> (minus ? without : named).add(Target.URLCONNECTION);
        default -> unknown.add(argument);
      }
    }
    Set<Target> targets = named.isEmpty() ? EnumSet.allOf(Target.class) : named;
    targets.removeAll(without);
    return new Selection(targets, quiet, unknown);
  }
}
