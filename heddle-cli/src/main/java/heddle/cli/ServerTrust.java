package heddle.cli;

import heddle.bench.driver.Trust;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for which certificates of a server are accepted. */
final class ServerTrust {

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      description = "Trust the authorities in this PEM file, and no others.")
  private @Nullable Path authorities;

  @Option(
      names = {"-k", "--insecure"},
      description = "Trust any certificate: an attacker on the network can read along.")
  private boolean insecure;

  /** Whether one of the options was given. */
  boolean isGiven() {
    return insecure || authorities != null;
  }

  /** Throws {@link IllegalArgumentException} if the options contradict each other. */
  Trust trust() {
    if (insecure && authorities != null) {
      throw new IllegalArgumentException("-k trusts all certificates, --cacert some: give one");
    }
    return insecure
        ? new Trust.Everything()
        : authorities == null ? new Trust.Default() : new Trust.Pem(authorities);
  }
}
