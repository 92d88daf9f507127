package heddle.bench.tool;

import java.util.List;
import java.util.Optional;

/** The tools that a race supports. */
public final class Tools {

  /** All of them, installed or not. */
  public static final List<Tool> ALL = List.of(new Wrk(), new H2load());

  private Tools() {}

  /** The tool of this name. */
  public static Optional<Tool> find(String name) {
    return ALL.stream().filter(tool -> tool.name().equals(name)).findFirst();
  }
}
