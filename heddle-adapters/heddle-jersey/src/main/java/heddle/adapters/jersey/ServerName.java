package heddle.adapters.jersey;

import java.net.URI;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import org.glassfish.jersey.client.ClientProperties;
import org.jspecify.annotations.Nullable;

/**
 * The server name that requests to a host send in the TLS handshake.
 *
 * @param host other hosts, after a redirect, get their own name
 */
record ServerName(String host, String name) {
  /**
   * Returns the name that a request sets by the property, or else by its Host field, as with
   * Jersey's own connectors. Both may have a port.
   *
   * @param property null if not set
   * @param field null if the request sets none; a value that is not a valid server name is ignored
   * @return null to send the name of the host
   * @throws IllegalArgumentException if the property is not a valid server name
   */
  static @Nullable ServerName of(URI uri, @Nullable String property, @Nullable String field) {
    String host = uri.getHost();
    String said = property == null ? field : property;
    if (said == null || host == null || !"https".equalsIgnoreCase(uri.getScheme())) {
      return null;
    }
    // In lower case, the normal form of hosts (RFC 9110 section 4.2.3).
    String name = said.replaceFirst(":\\d*$", "").strip().toLowerCase(Locale.ROOT);
    if (name.equalsIgnoreCase(host)) {
      return null;
    }
    if (isName(name)) {
      boolean bracketed = host.startsWith("[");
      return new ServerName(bracketed ? host.substring(1, host.length() - 1) : host, name);
    }
    if (property == null) {
      return null;
    }
    throw Settings.refusal(
        ClientProperties.SNI_HOST_NAME,
        "\"" + property + "\" is not a valid server name (RFC 6066 section 3)");
  }

  private static boolean isName(String text) {
    // RFC 6066 section 3 does not permit addresses.
    if (text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))) {
      return false;
    }
    try {
      return !new SNIHostName(text).getAsciiName().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
