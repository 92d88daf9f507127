package heddle.adapters.okhttp;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.X509ExtendedTrustManager;
import okhttp3.CertificatePinner;

/**
 * Checks certificates that another trust manager accepts with a certificate pinner, during the
 * handshake, so that nothing is sent to a server that does not match its pins.
 */
final class PinningTrustManager extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager trust;
  private final CertificatePinner pinner;

  PinningTrustManager(X509ExtendedTrustManager trust, CertificatePinner pinner) {
    this.trust = trust;
    this.pinner = pinner;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType, engine);
    try {
      pinner.check(engine.getPeerHost(), List.of(chain));
    } catch (SSLPeerUnverifiedException e) {
      throw new CertificateException(e.getMessage(), e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw withoutEngine();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw withoutEngine();
  }

  private static CertificateException withoutEngine() {
    return new CertificateException("the host is unknown, so its pins cannot be checked");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    trust.checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
