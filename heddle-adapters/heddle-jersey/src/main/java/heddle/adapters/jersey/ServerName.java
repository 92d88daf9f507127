package heddle.adapters.jersey;

import heddle.adapters.support.ServerNameIndication;
import java.net.URI;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import org.glassfish.jersey.client.ClientProperties;
import org.jspecify.annotations.Nullable;

/**
 * The name that a server is told in the handshake (RFC 6066 section 3), and that its certificate
 * has to be for, where it is not that of the host that is connected to.
 *
 * @param host that is connected to; others, after a redirect, are told their own name
 * @param name that it is told instead
 */
record ServerName(String host, String name) {

  /**
   * What a request says: by the property of this meaning, or else by its field Host, as Jersey's
   * own connectors take them. Both may have a port.
   *
   * @param property null where it is not set
   * @param field null where the request has none of its own; what no server can be told says
   *     nothing
   * @return null where the server is told the name of the host
   * @throws IllegalArgumentException if the property is no name that a server could be told
   */
  static @Nullable ServerName of(URI uri, @Nullable String property, @Nullable String field) {
    String host = uri.getHost();
    String said = property == null ? field : property;
    if (said == null || host == null || !"https".equalsIgnoreCase(uri.getScheme())) {
      return null;
    }
    // In small letters, as hosts are told (RFC 9110 section 4.2.3).
    String name = said.replaceFirst(":\\d*$", "").strip().toLowerCase(Locale.ROOT);
    if (name.equalsIgnoreCase(host)) {
      return null;
    }
    if (isName(name)) {
      return new ServerName(host, name);
    }
    if (property == null) {
      return null;
    }
    throw Settings.refusal(
        ClientProperties.SNI_HOST_NAME,
        "\"" + property + "\" is no name that a server can be told (RFC 6066 section 3)");
  }

  private static boolean isName(String text) {
    // An address: of those RFC 6066 section 3 lets nobody speak.
    if (text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))) {
      return false;
    }
    try {
      return !new SNIHostName(text).getAsciiName().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** For the handshake. */
  ServerNameIndication indication() {
    return new ServerNameIndication(host, name);
  }
}
