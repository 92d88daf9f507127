package heddle.cli;

import heddle.http.failure.TlsException;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code get} that say whom to trust and who to be. */
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
      description = "Trust any certificate of anybody: whoever is on the way can listen.")
  private boolean insecure;

  /**
   * The options.
   *
   * @throws IOException when a file is not what it should be
   * @throws IllegalArgumentException when the options do not fit together
   */
  TlsOptions options() throws IOException {
    TlsOptions.Builder builder = TlsOptions.builder();
    Path trusted = authorities;
    if (insecure && trusted != null) {
      throw new IllegalArgumentException("-k trusts everybody, --cacert some: give one of them");
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
      throw new IllegalArgumentException("--key needs --cert, whose key it is");
    }
    return builder.build();
  }

  /** What somebody at a terminal can do about it. */
  static String advice(TlsException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_AUTHORITY -> "; --cacert takes its authority's certificate, -k trusts anybody";
      case EXPIRED, NOT_YET_VALID, WRONG_HOST, SHORT_KEY -> "; -k connects all the same";
      case CLIENT_CERTIFICATE_REFUSED -> "; --cert and --key say who you are";
      case NO_COMMON_PROTOCOL -> "; --http says which version to speak";
      case NOT_TLS -> "; try http instead of https";
      case NO_COMMON_VERSION, NO_COMMON_CIPHER, TRUNCATED, OTHER -> "";
    };
  }
}
