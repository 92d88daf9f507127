package heddle.adapters.support;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * An SSL context whose handshakes ask a {@link HostnameVerifier} whether the server is the intended
 * one, or send a server name other than the host. The wrapped context decides which certificates
 * are trusted. Thread-safe if the verifier is.
 */
public final class IdentityContext extends SSLContext {

  /**
   * @param context initialised
   * @param verifier null for the rules of HTTPS
   * @param name null to send each host its own name
   */
  public IdentityContext(
      SSLContext context,
      @Nullable HostnameVerifier verifier,
      @Nullable ServerNameIndication name) {
    super(new Engines(context, verifier, name), context.getProvider(), context.getProtocol());
  }

  private static final class Engines extends SSLContextSpi {
    private final SSLContext context;
    private final @Nullable HostnameVerifier verifier;
    private final @Nullable ServerNameIndication name;

    Engines(
        SSLContext context,
        @Nullable HostnameVerifier verifier,
        @Nullable ServerNameIndication name) {
      this.context = context;
      this.verifier = verifier;
      this.name = name;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("the wrapped SSLContext is already initialised");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw new UnsupportedOperationException("an engine without a host cannot verify one");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      ServerNameIndication told = name != null && name.isFor(host) ? name : null;
      // JSSE caches sessions by the host for which an engine was made. A session whose server has
      // proved only the sent name must not be resumed for the host.
      SSLEngine engine = context.createSSLEngine(told == null ? host : told.name(), port);
      return new IdentityEngine(engine, host, verifier, told);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return context.getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context.getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }
  }
}
