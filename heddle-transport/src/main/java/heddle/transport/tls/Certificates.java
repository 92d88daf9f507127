package heddle.transport.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What a certificate says, for messages. */
final class Certificates {
  private static final int NAMES_SHOWN = 8;

  private Certificates() {}

  /** Such as {@code (CN=a.test, issued by CN=Some CA)}. */
  static String describe(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    String issuer = certificate.getIssuerX500Principal().getName();
    return subject.equals(issuer)
        ? "(" + subject + ", signed by itself)"
        : "(" + subject + ", issued by " + issuer + ")";
  }

  static String validity(X509Certificate certificate) {
    return "that of " + certificate.getSubjectX500Principal().getName() + " is valid from "
        + certificate.getNotBefore().toInstant() + " to "
        + certificate.getNotAfter().toInstant();
  }

  /** The hosts that it is for (RFC 9525 §6.1). */
  static String names(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      for (List<?> each : alternatives == null ? List.<List<?>>of() : alternatives) {
        if (each.get(0) instanceof Integer kind
            && (kind == ServerIdentity.DNS_NAME || kind == ServerIdentity.ADDRESS)) {
          names.add(String.valueOf(each.get(1)));
        }
      }
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
