package heddle.adapters.okhttp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a JDK socket factory has a key for TLS client authentication. A factory does not
 * reveal that, but its sockets can also be servers, and a server without a key refuses a client. No
 * byte leaves the process.
 */
final class ClientKey {
  /** A version in which a server needs its key before its first message (RFC 5246 section 7.3). */
  private static final String TLS_1_2 = "TLSv1.2";

  /** The type of a handshake record (RFC 5246 section 6.2.1); an alert has 21. */
  private static final int HANDSHAKE = 22;

  private ClientKey() {}

  /** Whether the factory has a key. A key manager with keys only for clients is not detected. */
  static boolean isIn(SSLSocketFactory factory) {
    Listener listener = new Listener();
    try (Socket socket =
        factory.createSocket(listener, new ByteArrayInputStream(clientHello()), true)) {
      ((SSLSocket) socket).startHandshake();
      return true;
    } catch (IOException e) {
      // It has no peer, so it fails in any case. What it wrote before is the result.
      byte[] said = listener.said.toByteArray();
      return said.length > 0 && said[0] == HANDSHAKE;
    }
  }

  private static byte[] clientHello() throws SSLException {
    SSLEngine client = anonymous().createSSLEngine();
    client.setUseClientMode(true);
    client.setEnabledProtocols(new String[] {TLS_1_2});
    ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
    client.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().remaining()];
    hello.get(bytes);
    return bytes;
  }

  private static SSLContext anonymous() throws SSLException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new SSLException("the JDK has no TLS: " + e.getMessage(), e);
    }
  }

  /** A socket that records what is written, and ends without input. */
  private static final class Listener extends Socket {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public InetAddress getInetAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getPort() {
      return 1;
    }

    @Override
    public InputStream getInputStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
      return said;
    }
  }

  /**
   * The reason of a failed handshake in which the server requested a key that is not accessible.
   */
  static final class Missed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Missed(String message) {
      super(message);
    }
  }

  /** Stands for a key that is not accessible. A handshake in which the server requests it fails. */
  static final class Hidden extends X509ExtendedKeyManager {
    @Override
    public String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
      throw new Missed("the server " + engine.getPeerHost()
          + " requests a client certificate, but the key in OkHttpClient.sslSocketFactory cannot be"
          + " extracted: pass its X509KeyManager with the client, or an HttpClient whose"
          + " TlsOptions have it");
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, Socket socket) {
      return null; // Heddle does not use JDK sockets.
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return null;
    }
  }
}
