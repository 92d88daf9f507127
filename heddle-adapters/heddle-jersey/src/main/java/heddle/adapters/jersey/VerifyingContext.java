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

/** A context in whose handshakes a {@link HostnameVerifier} says whether the host is the right. */
final class VerifyingContext extends SSLContext {

  VerifyingContext(SSLContext context, HostnameVerifier verifier) {
    super(new Engines(context, verifier), context.getProvider(), context.getProtocol());
  }

  private static final class Engines extends SSLContextSpi {
    private final SSLContext context;
    private final HostnameVerifier verifier;

    Engines(SSLContext context, HostnameVerifier verifier) {
      this.context = context;
      this.verifier = verifier;
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
      return new VerifyingEngine(context.createSSLEngine(host, port), verifier);
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
