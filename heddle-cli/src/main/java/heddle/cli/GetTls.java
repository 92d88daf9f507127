package heddle.cli;

import heddle.http.failure.TlsException;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code get} for trust and for the client certificate. */
final class GetTls {

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      description = "Trust the authorities in this PEM file, and no others.")
  private @Nullable Path authorities;

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

  @Option(
      names = {"-k", "--insecure"},
      description = "Trust any certificate: an attacker on the network can read along.")
  private boolean insecure;

  /**
   * The TLS options.
   *
   * @throws IOException if a file is malformed
   * @throws IllegalArgumentException if the options contradict each other
   */
  TlsOptions options() throws IOException {
    TlsOptions.Builder builder = TlsOptions.builder();
    Path trusted = authorities;
    if (insecure && trusted != null) {
      throw new IllegalArgumentException("-k trusts all certificates, --cacert some: give one");
    }
    if (trusted != null) {
      builder.trust(trusted);
    }
    if (insecure) {
      builder.insecureTrustEverything();
    }
    Path own = chain;
    if (own != null) {
      builder.identity(own, key == null ? own : key);
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
