package heddle.adapters.urlconnection;

import heddle.client.spi.ConnectionInfo;
import heddle.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.Proxy;
import java.net.URL;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * An {@code HttpsURLConnection}: a face of {@link Exchange}. It repeats the methods of {@link
 * HttpConnection}, as both must extend the JDK's classes.
 */
final class HttpsConnection extends HttpsURLConnection {
  static {
    Tls.learnDefault();
  }

  private final Exchange exchange;

  /**
   * @param proxy null to ask the default ProxySelector
   */
  HttpsConnection(URL url, @Nullable Proxy proxy) {
    super(url);
    this.exchange = new Exchange(url, proxy);
  }

  /** The exchange, whose options can no longer change. */
  private Exchange begun() {
    if (!connected) {
      long length = fixedContentLengthLong >= 0 ? fixedContentLengthLong : fixedContentLength;
      exchange.begin(Options.of(
          this,
          length,
          chunkLength > 0,
          super.getRequestProperties(),
          Tls.of(getSSLSocketFactory(), getHostnameVerifier())));
      connected = true;
    }
    return exchange;
  }

  @Override
  public void setAuthenticator(Authenticator given) {
    exchange.setAuthenticator(given);
  }

  @Override
  public void connect() throws IOException {
    begun().connect();
  }

  @Override
  public void disconnect() {
    exchange.disconnect();
  }

  @Override
  public boolean usingProxy() {
    return exchange.usesProxy();
  }

  @Override
  public URL getURL() {
    return exchange.url();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    method = Exchange.methodWithContent(method, doOutput);
    return begun().output();
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return begun().input();
  }

  @Override
  public @Nullable InputStream getErrorStream() {
    return exchange.error();
  }

  @Override
  public int getResponseCode() throws IOException {
    Status status = begun().status();
    responseCode = status.code();
    responseMessage = status.reason().isEmpty() ? null : status.reason();
    return responseCode;
  }

  @Override
  public @Nullable String getHeaderField(String name) {
    return begun().fields().value(name);
  }

  @Override
  public @Nullable String getHeaderField(int number) {
    return begun().fields().value(number);
  }

  @Override
  public @Nullable String getHeaderFieldKey(int number) {
    return begun().fields().name(number);
  }

  @Override
  public Map<String, List<String>> getHeaderFields() {
    return begun().fields().map();
  }

  @Override
  public @Nullable String getRequestProperty(String name) {
    if (name == null || RequestFields.isSecret(name)) {
      return null;
    }
    return connected ? exchange.requestField(name) : super.getRequestProperty(name);
  }

  @Override
  public Map<String, List<String>> getRequestProperties() {
    return RequestFields.shown(super.getRequestProperties());
  }

  // ---- TLS

  /**
   * @throws IllegalArgumentException if the context of the factory is unknown: see {@link
   *     HeddleUrlConnections#socketFactory}
   */
  @Override
  public void setSSLSocketFactory(SSLSocketFactory factory) {
    if (factory != null) {
      var ignored = Tls.contextOf(factory);
    }
    super.setSSLSocketFactory(factory);
  }

  private SSLSession session() {
    ConnectionInfo on = exchange.connection();
    SSLSession session = on == null ? null : on.tlsSession();
    if (session == null) {
      throw new IllegalStateException("connection not yet open");
    }
    return session;
  }

  @Override
  public Optional<SSLSession> getSSLSession() {
    return Optional.of(session());
  }

  @Override
  public String getCipherSuite() {
    return session().getCipherSuite();
  }

  @Override
  public Certificate @Nullable [] getLocalCertificates() {
    return session().getLocalCertificates();
  }

  @Override
  public Certificate[] getServerCertificates() throws SSLPeerUnverifiedException {
    return session().getPeerCertificates();
  }
}
