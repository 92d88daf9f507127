package heddle.transport.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
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
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, authType, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, authType, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, authType, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, authType, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    reporting(chain, () -> checker.checkClientTrusted(chain, authType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    reporting(chain, () -> checker.checkServerTrusted(chain, authType));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return checker.getAcceptedIssuers();
  }
}
