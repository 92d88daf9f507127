package heddle.bench.server;

import java.util.List;

/**
 * The command with which a race starts its server, in a separate JVM with the class path of this
 * one. The server must choose a free port and print a line {@code listening on
 * http://127.0.0.1:PORT} to its standard output, with {@code https} over TLS.
 *
 * @param mainClass the class to run
 * @param arguments its arguments
 * @param tlsArguments its arguments for a server over TLS
 */
public record ServerCommand(String mainClass, List<String> arguments, List<String> tlsArguments) {

  /** Heddle's server with the routes for experiments. */
  public static final ServerCommand HEDDLE = new ServerCommand(
      "heddle.cli.Main", List.of("serve", "--port", "0"), List.of("serve", "--port", "0", "--tls"));

  /** Copies the lists. */
  public ServerCommand {
    arguments = List.copyOf(arguments);
    tlsArguments = List.copyOf(tlsArguments);
  }
}
