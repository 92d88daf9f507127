package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;

/** The code of docs/guide/tls.md. */
final class Tls {
  private Tls() {}

  static HttpClient trust(Path authority) throws IOException {
    // doc: trust
    TlsOptions tls = TlsOptions.builder().trust(authority).build();
    HttpClient client = HttpClient.builder().tls(tls).build();
    // doc: end
    return client;
  }

  static HttpClient identity(Path chain, Path key) throws IOException {
    // doc: identity
    TlsOptions tls =
        TlsOptions.builder().identity(chain, key).protocols("TLSv1.3").build();
    HttpClient client = HttpClient.builder().tls(tls).build();
    // doc: end
    return client;
  }
}
