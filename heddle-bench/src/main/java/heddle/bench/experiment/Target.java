package heddle.bench.experiment;

import heddle.bench.driver.Trust;
import java.net.URI;
import java.nio.file.Path;

/**
 * A server that is already running, in place of one that the race starts.
 *
 * @param base its URI without a path, http or https
 * @param path the path and query of the requests to it, if the cells do not say
 * @param trust which certificates to accept
 */
public record Target(URI base, String path, Trust trust) {

  private static final String EVERYTHING = "everything";

  /**
   * The target of requests to a URI.
   *
   * @throws IllegalArgumentException if it is not an http or https URI with a host
   */
  public static Target of(String text, Trust trust) {
    URI uri = URI.create(text);
    if (uri.getScheme() == null || uri.getRawAuthority() == null) {
      throw new IllegalArgumentException(
          "--target must be a URL such as http://127.0.0.1:8080/hello, not " + text);
    }
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new Target(base(uri.getScheme() + "://" + uri.getRawAuthority()), path + query, trust);
  }

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

  /** Whether connections to it are encrypted. */
  public boolean isTls() {
    return "https".equals(base.getScheme());
  }
}
