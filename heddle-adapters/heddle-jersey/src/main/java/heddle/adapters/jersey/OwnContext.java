package heddle.adapters.jersey;

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
 * A context in whose handshakes a {@link HostnameVerifier} says whether the host is the right, or a
 * host is told another name than its own.
 */
final class OwnContext extends SSLContext {

  /**
   * @param verifier null for the rules of https
   * @param name null where each host is told its own
   */
  OwnContext(SSLContext context, @Nullable HostnameVerifier verifier, @Nullable ServerName name) {
    super(new Engines(context, verifier, name), context.getProvider(), context.getProtocol());
  }

  private static final class Engines extends SSLContextSpi {
    private final SSLContext context;
    private final @Nullable HostnameVerifier verifier;
    private final @Nullable ServerName name;

    Engines(SSLContext context, @Nullable HostnameVerifier verifier, @Nullable ServerName name) {
      this.context = context;
      this.verifier = verifier;
      this.name = name;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("the context that this one stands before is initialised");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw new UnsupportedOperationException("without a host there is nothing to verify");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      ServerName told = name != null && name.isFor(host) ? name : null;
      // JSSE keeps sessions by the host that an engine is made for. One whose server has proved to
      // be who the name says, and perhaps no other, must not be resumed for the host.
      SSLEngine engine = context.createSSLEngine(told == null ? host : told.name(), port);
      return new OwnEngine(engine, host, verifier, told);
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
