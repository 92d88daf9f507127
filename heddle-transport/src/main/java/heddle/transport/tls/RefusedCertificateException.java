package heddle.transport.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;

/** A certificate that was not trusted, with what it is. */
final class RefusedCertificateException extends CertificateException {
  private static final long serialVersionUID = 1L;

  private final transient X509Certificate[] chain;

  RefusedCertificateException(X509Certificate[] chain, CertificateException refusal) {
    // The cause of the refusal is ours too: JSSE chooses its alert by it.
    super(refusal.getMessage(), refusal.getCause() == null ? refusal : refusal.getCause());
    this.chain = chain.clone();
  }

  X509Certificate certificate() {
    return chain[0];
  }

  /** The first of the chain that is not valid now, if any is not. */
  X509Certificate outOfTime() {
    for (X509Certificate each : chain) {
      try {
        each.checkValidity();
      } catch (CertificateExpiredException | CertificateNotYetValidException e) {
        return each;
      }
    }
    return chain[0];
  }
}
