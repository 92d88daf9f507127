package heddle.transport.tls;

import heddle.http.syntax.Host;
import java.net.InetAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts a server's certificate is for (RFC 9525 §6). JSSE asks too, and is more lenient: here
 * no common name counts, and a wildcard only as the whole first label.
 */
final class ServerIdentity {
  // RFC 5280 §4.2.1.6, as X509Certificate numbers them.
  private static final int DNS_NAME = 2;
  private static final int ADDRESS = 7;

  private static final int NAMES_SHOWN = 8;

  private ServerIdentity() {}

  /** Whether the certificate that the server showed in its handshake is for a host. */
  static boolean covers(SSLSession session, String host) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      Collection<List<?>> names = chain[0] instanceof X509Certificate certificate
          ? certificate.getSubjectAlternativeNames()
          : null;
      return names != null && covers(names, host);
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      // A server without a readable certificate is verified for no host.
      return false;
    }
  }

  /**
   * Whether one of these names is a host's.
   *
   * @param alternatives a certificate's subjectAltName, as {@link
   *     X509Certificate#getSubjectAlternativeNames} has it
   */
  static boolean covers(Collection<List<?>> alternatives, String host) {
    // RFC 9525 §6.3 and §6.4: an address is never compared with names, nor a name with addresses.
    InetAddress address = Host.address(host);
    SNIHostName name = nameOf(host);
    String wanted = name == null ? null : name.getAsciiName().toLowerCase(Locale.ROOT);
    for (List<?> each : alternatives) {
      boolean covered = each.get(0) instanceof Integer kind
          && each.get(1) instanceof String presented
          && switch (kind) {
            case DNS_NAME -> wanted != null && isName(presented, wanted);
            case ADDRESS -> address != null && address.equals(Host.address(presented));
            default -> false;
          };
      if (covered) {
        return true;
      }
    }
    return false;
  }

  private static boolean isName(String presented, String wanted) {
    String name = comparable(presented);
    return name != null && (name.equals(wanted) || name.equals(wildcardFor(wanted)));
  }

  /** A certificate's name in small letters; null if it covers nothing. */
  private static @Nullable String comparable(String presented) {
    // Names are ASCII (RFC 9525 §6.3); some letters beyond it become one of its letters when small.
    if (!presented.chars().allMatch(c -> c < 0x80)) {
      return null;
    }
    // RFC 9525 §6.3: a wildcard stands for one label. One for a top-level domain covers nothing.
    boolean covering = !presented.startsWith("*.") || presented.indexOf('.', 2) > 0;
    return covering ? presented.toLowerCase(Locale.ROOT) : null;
  }

  /**
   * The wildcard of a certificate that covers a host (RFC 9525 §6.3).
   *
   * @param host in small letters
   * @return such as {@code *.a.test}; null if no wildcard can cover the host
   */
  static @Nullable String wildcardFor(String host) {
    int dot = host.indexOf('.');
    return dot > 0 ? "*" + host.substring(dot) : null;
  }

  /**
   * The DNS names of a certificate that can cover a host, in small letters, with wildcards as in
   * {@link #wildcardFor}.
   */
  static Set<String> dnsNames(X509Certificate certificate) {
    try {
      return namesOf(certificate, Set.of(DNS_NAME)).stream()
          .map(ServerIdentity::comparable)
          .filter(Objects::nonNull)
          .collect(Collectors.toSet());
    } catch (CertificateParsingException e) {
      return Set.of(); // A certificate that clients cannot read either is for no host.
    }
  }

  /** The names of these kinds, in the order of the certificate. */
  private static List<String> namesOf(X509Certificate certificate, Set<Integer> kinds)
      throws CertificateParsingException {
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives == null) {
      return List.of();
    }
    return alternatives.stream()
        .filter(each -> each.get(0) instanceof Integer kind && kinds.contains(kind))
        .map(each -> String.valueOf(each.get(1)))
        .toList();
  }

  /**
   * A host as a server name; null for an address, which RFC 6066 §3 does not permit, and for what
   * no certificate can be for, such as a name with an underscore.
   */
  static @Nullable SNIHostName nameOf(String host) {
    try {
      // RFC 6066 §3: without the trailing dot.
      String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
      return isAddress(host) ? null : new SNIHostName(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || Host.address(host) != null;
  }

  /** The hosts that a certificate is for, for a message. */
  static String names(X509Certificate certificate) {
    List<String> names;
    try {
      names = namesOf(certificate, Set.of(DNS_NAME, ADDRESS));
    } catch (CertificateParsingException e) {
      return "names that cannot be read: " + e.getMessage();
    }
    if (names.isEmpty()) {
      return "no host at all";
    }
    String shown = String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())));
    int more = names.size() - NAMES_SHOWN;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }
}
