package heddle.adapters.urlconnection;

import heddle.client.spi.Proxy;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the JDK's URLs, which may hold characters that a request must not, and its proxies. */
final class UrlSyntax {
  private static final String REFUSED = "\"<>\\^`{|}";

  private UrlSyntax() {}

  /** Path and query, with characters that are illegal there percent-encoded as UTF-8. */
  static String target(URL url) {
    String file = url.getFile();
    String rooted = file.startsWith("/") ? file : "/" + file;
    StringBuilder target = new StringBuilder(rooted.length());
    for (byte each : rooted.getBytes(StandardCharsets.UTF_8)) {
      int octet = each & 0xFF;
      boolean legal = octet > ' ' && octet < 0x7F && REFUSED.indexOf(octet) < 0;
      if (legal) {
        target.append((char) octet);
      } else {
        target.append('%').append("%02X".formatted(octet));
      }
    }
    return target.toString();
  }

  /**
   * The URL as a URI, for the default ProxySelector and CookieHandler.
   *
   * @throws MalformedURLException if it is none
   */
  static URI uri(URL url) throws MalformedURLException {
    try {
      return new URI(url.getProtocol() + "://" + url.getAuthority() + target(url));
    } catch (URISyntaxException e) {
      MalformedURLException malformed = new MalformedURLException(e.getMessage());
      malformed.initCause(e);
      throw malformed;
    }
  }

  /** What a Location means relative to a URL; null if that is no URL. */
  @SuppressWarnings("deprecation") // A URI would refuse what the JDK's connections follow.
  static @Nullable URL resolve(URL base, String location) {
    try {
      return new URL(base, location);
    } catch (MalformedURLException e) {
      return null;
    }
  }

  /**
   * Converts proxies.
   *
   * @throws IOException if one has no host and port
   */
  static List<Proxy> proxies(List<java.net.Proxy> given) throws IOException {
    if (given.stream().allMatch(each -> each.type() == java.net.Proxy.Type.DIRECT)) {
      return List.of();
    }
    try {
      return given.stream().map(Proxy::of).toList();
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
