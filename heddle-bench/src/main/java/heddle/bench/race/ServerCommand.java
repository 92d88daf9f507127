package heddle.bench.race;

import java.util.List;

/**
 * How a race starts the server that all clients ask: a JVM of its own, with the class path of this
 * one.
 *
 * @param mainClass the class to run
 * @param arguments its arguments; it must choose a free port and print a line {@code listening on
 *     http://127.0.0.1:PORT} to its standard output
 */
public record ServerCommand(String mainClass, List<String> arguments) {

  /** Heddle's own server with the routes for experiments. */
  public static final ServerCommand HEDDLE =
      new ServerCommand("heddle.cli.Main", List.of("serve", "--port", "0"));

  /** Keeps a copy of the list. */
  public ServerCommand {
    arguments = List.copyOf(arguments);
  }
}
