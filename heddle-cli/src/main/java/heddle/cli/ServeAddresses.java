package heddle.cli;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code serve} for its addresses and port. */
final class ServeAddresses {

  @Option(
      names = "--address",
      paramLabel = "IP",
      description = {
        "Where to listen (default 127.0.0.1). More than one may be given, all with the",
        "same port: a client can open some 28,000 connections to each."
      })
  private List<String> literals = new ArrayList<>();

  @Option(
      names = "--public",
      description = "Allow an --address that other machines can reach, such as 0.0.0.0.")
  private boolean shared;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "P",
      defaultValue = "8080",
      description = "The port; 0 for a free one (default ${DEFAULT-VALUE}).")
  private int port;

  /** The port; throws {@link IllegalArgumentException} if it is out of range. */
  int port() {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port must be 0 to 65535, not " + port);
    }
    return port;
  }

  /** The addresses; throws {@link IllegalArgumentException} if one is malformed or not allowed. */
  List<InetAddress> addresses() {
    if (literals.isEmpty()) {
      return List.of(InetAddress.ofLiteral("127.0.0.1"));
    }
    List<InetAddress> all = new ArrayList<>();
    for (String each : literals) {
      InetAddress address = parse(each);
      if (!address.isLoopbackAddress() && !shared) {
        throw new IllegalArgumentException("--address " + each
            + " can be reached from other machines: add --public to allow that");
      }
      if (all.contains(address)) {
        throw new IllegalArgumentException("--address " + each + " was given twice");
      }
      all.add(address);
    }
    return all;
  }

  private static InetAddress parse(String literal) {
    try {
      return InetAddress.ofLiteral(literal);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--address must be an IP address such as 127.0.0.2, not " + literal, e);
    }
  }
}
