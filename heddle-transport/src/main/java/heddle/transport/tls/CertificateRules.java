package heddle.transport.tls;

import heddle.http.failure.TlsException.Reason;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * What a client asks of a server's certificate besides trust, which JSSE has checked before: that
 * it is for the host by RFC 9525, and that no RSA key on its path is short.
 *
 * @param host that the client connects to
 * @param namesOfAddresses that the certificate may be for instead, if the host is an address
 * @param hostByName whether it has to be for the host
 * @param longKeys whether RSA keys must have {@value #MIN_RSA_BITS} bits
 */
record CertificateRules(
    String host, List<SNIServerName> namesOfAddresses, boolean hostByName, boolean longKeys) {
  /** NIST SP 800-131A revision 2, and what public authorities have issued since 2014. */
  static final int MIN_RSA_BITS = 2048;

  /** A certificate that is trusted and still not good enough. */
  static final class BrokenRuleException extends SSLException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    BrokenRuleException(Reason reason, String message) {
      super(message);
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }
  }

  /**
   * Checks a session that is being made or has been made.
   *
   * @return whether there was a certificate to check already
   * @throws BrokenRuleException if it breaks a rule
   */
  boolean check(SSLSession session) throws BrokenRuleException {
    Certificate[] chain;
    try {
      chain = session.getPeerCertificates();
    } catch (SSLPeerUnverifiedException e) {
      return false; // It has not come yet.
    }
    if (hostByName && !isForHost(session)) {
      String names = chain[0] instanceof X509Certificate certificate
          ? "certificate " + Certificates.describe(certificate) + " is not for " + host
              + " but for " + Certificates.names(certificate)
          : "certificate is not an X.509 certificate";
      throw new BrokenRuleException(
          Reason.WRONG_HOST,
          "its " + names + "; only subjectAltName counts, and a wildcard only as the whole first"
              + " label (RFC 9525)");
    }
    if (longKeys) {
      requireLongKeys(chain);
    }
    return true;
  }

  private boolean isForHost(SSLSession session) {
    if (ServerIdentity.covers(session, host)) {
      return true;
    }
    return ServerNames.isAddress(host)
        && namesOfAddresses.stream()
            .anyMatch(each -> each instanceof SNIHostName name
                && ServerIdentity.covers(session, name.getAsciiName()));
  }

  /**
   * Looks at all certificates that the server has sent, in any order, because a path can be built
   * from any of them. A certificate behind the first that signs itself is exempt: it is a trust
   * anchor, which the user has chosen, or not trusted at all. One that only has the name of its
   * issuer may be an intermediate (RFC 5280 section 6.1, self-issued).
   */
  private static void requireLongKeys(Certificate[] chain) throws BrokenRuleException {
    for (int i = 0; i < chain.length; i++) {
      if (!(chain[i] instanceof X509Certificate certificate)
          || !(certificate.getPublicKey() instanceof RSAKey key)) {
        continue;
      }
      int bits = key.getModulus().bitLength();
      if (bits < MIN_RSA_BITS && (i == 0 || !signsItself(certificate))) {
        throw new BrokenRuleException(
            Reason.SHORT_KEY,
            "the RSA key of %s has %d bits, but at least %d are needed; have it issued anew with a"
                    .formatted(Certificates.describe(certificate), bits, MIN_RSA_BITS)
                + " longer key, or allow such keys with TlsOptions.allowShortRsaKeys");
      }
    }
  }

  private static boolean signsItself(X509Certificate certificate) {
    if (!certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      // Another key has signed it.
      return false;
    }
  }
}
