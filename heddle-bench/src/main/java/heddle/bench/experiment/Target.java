package heddle.bench.experiment;

import heddle.bench.driver.Trust;
import java.net.URI;
import java.nio.file.Path;

/**
 * A server that is already running, in place of one that the race starts.
 *
 * @param base its URI without a path, http or https
 * @param trust which certificates to accept
 */
public record Target(URI base, Trust trust) {

  private static final String EVERYTHING = "everything";

  /** Throws {@link IllegalArgumentException} if the text is not such a URI. */
  static URI base(String text) {
    URI uri = URI.create(text);
    boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    boolean hasPath = uri.getRawPath() != null && uri.getRawPath().length() > 1;
    if (!isHttp || uri.getHost() == null || hasPath) {
      throw new IllegalArgumentException(
          "it must be a server such as https://example.org:8443, without a path, not " + text);
    }
    return uri;
  }

  /** Reads {@code everything}, or the name of a certificate file. */
  static Trust trust(String text) {
    if (text.isEmpty()) {
      return new Trust.Default();
    }
    return text.equals(EVERYTHING) ? new Trust.Everything() : new Trust.Pem(Path.of(text));
  }

  boolean isTls() {
    return "https".equals(base.getScheme());
  }
}
