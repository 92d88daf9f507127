package heddle.adapters.support;

import java.security.Principal;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/**
 * What the TLS handshake of a connection settled, for callers that may not change it: other calls
 * use the connection too. The methods that would change the session throw {@link
 * UnsupportedOperationException}. Safe for use by many threads.
 */
public final class ImmutableSession extends ExtendedSSLSession {
  private static final String IMMUTABLE = "the session of a connection cannot be changed";

  private final SSLSession session;

  private ImmutableSession(SSLSession session) {
    this.session = session;
  }

  /** The session without its methods that change it. */
  public static SSLSession of(SSLSession session) {
    return session instanceof ImmutableSession ? session : new ImmutableSession(session);
  }

  @Override
  public byte[] getId() {
    return session.getId();
  }

  /** Throws {@link UnsupportedOperationException}: through it every session could be changed. */
  @Override
  public SSLSessionContext getSessionContext() {
    throw new UnsupportedOperationException(IMMUTABLE);
  }

  @Override
  public long getCreationTime() {
    return session.getCreationTime();
  }

  @Override
  public long getLastAccessedTime() {
    return session.getLastAccessedTime();
  }

  @Override
  public void invalidate() {
    throw new UnsupportedOperationException(IMMUTABLE);
  }

  @Override
  public boolean isValid() {
    return session.isValid();
  }

  @Override
  public void putValue(String name, Object value) {
    throw new UnsupportedOperationException(IMMUTABLE);
  }

  @Override
  public Object getValue(String name) {
    return session.getValue(name);
  }

  @Override
  public void removeValue(String name) {
    throw new UnsupportedOperationException(IMMUTABLE);
  }

  @Override
  public String[] getValueNames() {
    return session.getValueNames();
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    return session.getPeerCertificates();
  }

  @Override
  public Certificate[] getLocalCertificates() {
    return session.getLocalCertificates();
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return session.getPeerPrincipal();
  }

  @Override
  public Principal getLocalPrincipal() {
    return session.getLocalPrincipal();
  }

  @Override
  public String getCipherSuite() {
    return session.getCipherSuite();
  }

  @Override
  public String getProtocol() {
    return session.getProtocol();
  }

  @Override
  public String getPeerHost() {
    return session.getPeerHost();
  }

  @Override
  public int getPeerPort() {
    return session.getPeerPort();
  }

  @Override
  public int getPacketBufferSize() {
    return session.getPacketBufferSize();
  }

  @Override
  public int getApplicationBufferSize() {
    return session.getApplicationBufferSize();
  }

  @Override
  public String[] getLocalSupportedSignatureAlgorithms() {
    return session instanceof ExtendedSSLSession extended
        ? extended.getLocalSupportedSignatureAlgorithms()
        : new String[0];
  }

  @Override
  public String[] getPeerSupportedSignatureAlgorithms() {
    return session instanceof ExtendedSSLSession extended
        ? extended.getPeerSupportedSignatureAlgorithms()
        : new String[0];
  }

  @Override
  public List<SNIServerName> getRequestedServerNames() {
    return session instanceof ExtendedSSLSession extended
        ? extended.getRequestedServerNames()
        : List.of();
  }

  @Override
  public List<byte[]> getStatusResponses() {
    return session instanceof ExtendedSSLSession extended
        ? extended.getStatusResponses()
        : List.of();
  }
}
