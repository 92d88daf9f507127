package heddle.cli;

import heddle.bench.driver.Trust;
import heddle.http.failure.TlsException;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The TLS options of a client: which servers it trusts, and its own certificate. */
final class ClientTls {

  @Mixin
  private ServerTrust servers = new ServerTrust();

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "Show the certificate in this PEM file to a server that asks for one.")
  private @Nullable Path chain;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "Its private key, PEM (default: in the file of --cert).")
  private @Nullable Path key;

  /** Whether one of the options was given. */
  boolean isGiven() {
    return servers.isGiven() || chain != null || key != null;
  }

  /**
   * The TLS options.
   *
   * @throws IOException if a file is malformed
   * @throws IllegalArgumentException if the options contradict each other
   */
  TlsOptions options() throws IOException {
    TlsOptions.Builder builder = TlsOptions.builder();
    switch (servers.trust()) {
      case Trust.Default _ -> {}
      case Trust.Pem(Path authorities) -> builder.trust(authorities);
      case Trust.Everything _ -> builder.insecureTrustEverything();
    }
    if (chain != null) {
      builder.identity(chain, key == null ? chain : key);
    } else if (key != null) {
      throw new IllegalArgumentException("--key is the key of --cert: give both");
    }
    return builder.build();
  }

  /** What the user can do about it. */
  static String advice(TlsException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_AUTHORITY -> "; --cacert adds its authority's certificate, -k trusts any";
      case EXPIRED, NOT_YET_VALID, WRONG_HOST, SHORT_KEY -> "; -k connects anyway";
      case CLIENT_CERTIFICATE_REFUSED -> "; --cert and --key say who you are";
      case NO_COMMON_PROTOCOL -> "; --http sets the version";
      case NOT_TLS -> "; try http instead of https";
      case NO_COMMON_VERSION, NO_COMMON_CIPHER, TRUNCATED, OTHER -> "";
    };
  }
}
