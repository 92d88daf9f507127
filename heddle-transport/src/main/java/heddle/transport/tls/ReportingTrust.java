package heddle.transport.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Checks as another trust manager does, and adds the refused certificates to its exception. */
final class ReportingTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager checker;

  ReportingTrust(X509ExtendedTrustManager checker) {
    this.checker = checker;
  }

  /** A check that may refuse. */
  private interface Check {
    void run() throws CertificateException;
  }

  private static void reporting(X509Certificate[] chain, Check check) throws CertificateException {
    try {
      check.run();
    } catch (CertificateException e) {
      throw new RefusedCertificateException(chain, e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, type, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, type, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, type, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, type, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, type));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return checker.getAcceptedIssuers();
  }

  /** A certificate that was not trusted, with what it is. */
  static final class RefusedCertificateException extends CertificateException {
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
}
