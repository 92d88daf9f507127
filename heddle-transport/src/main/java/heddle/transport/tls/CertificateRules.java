package heddle.transport.tls;

import heddle.http.failure.TlsException.Reason;
import heddle.transport.TlsHandshakeException;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
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

  /** Checks a session that is made or being made; false if it has no certificate to check yet. */
  boolean check(SSLSession session, HandshakeFailures failures) throws TlsHandshakeException {
    Certificate[] chain;
    try {
      chain = session.getPeerCertificates();
    } catch (SSLPeerUnverifiedException e) {
      return false; // It has not come yet.
    }
    if (hostByName && !isForHost(session)) {
      String names = chain[0] instanceof X509Certificate certificate
          ? "certificate " + HandshakeFailures.describe(certificate) + " is not for " + host
              + " but for " + ServerIdentity.names(certificate)
          : "certificate is not an X.509 certificate";
      String what = "its " + names + "; only subjectAltName counts, and a wildcard only as the"
          + " whole first label (RFC 9525)";
      throw failures.failure(Reason.WRONG_HOST, what, null);
    }
    if (longKeys) {
      requireLongKeys(chain, failures);
    }
    return true;
  }

  private boolean isForHost(SSLSession session) {
    return ServerIdentity.covers(session, host)
        || ServerIdentity.isAddress(host)
            && namesOfAddresses.stream()
                .anyMatch(each -> each instanceof SNIHostName name
                    && ServerIdentity.covers(session, name.getAsciiName()));
  }

  /**
   * Looks at all certificates that the server has sent, because a path can be built from any. One
   * behind the first that signs itself is exempt: it is a trust anchor, which the user has chosen,
   * or not trusted at all. One that only has the name of its issuer may be an intermediate (RFC
   * 5280 section 6.1, self-issued).
   */
  private static void requireLongKeys(Certificate[] chain, HandshakeFailures failures)
      throws TlsHandshakeException {
    for (int i = 0; i < chain.length; i++) {
      if (chain[i] instanceof X509Certificate certificate
          && certificate.getPublicKey() instanceof RSAKey key
          && key.getModulus().bitLength() < MIN_RSA_BITS
          && (i == 0 || !signsItself(certificate))) {
        int bits = key.getModulus().bitLength();
        String what = "the RSA key of " + HandshakeFailures.describe(certificate) + " has " + bits
            + " bits, but at least " + MIN_RSA_BITS + " are needed; have it issued anew with a"
            + " longer key, or allow such keys with TlsOptions.allowShortRsaKeys";
        throw failures.failure(Reason.SHORT_KEY, what, null);
      }
    }
  }

  private static boolean signsItself(X509Certificate certificate) {
    try {
      boolean issued =
          certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
      if (issued) {
        certificate.verify(certificate.getPublicKey());
      }
      return issued;
    } catch (GeneralSecurityException e) {
      // Another key has signed it.
      return false;
    }
  }
}
