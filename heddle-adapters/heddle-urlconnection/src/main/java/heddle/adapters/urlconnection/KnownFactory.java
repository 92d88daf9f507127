package heddle.adapters.urlconnection;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** An initialised context that gives each caller the same socket factory. */
final class KnownFactory extends SSLContextSpi {
  private final SSLContext context;
  private final SSLSocketFactory factory;

  KnownFactory(SSLContext context) {
    this.context = context;
    this.factory = context.getSocketFactory();
  }

  @Override
  protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
      throws KeyManagementException {
    throw new KeyManagementException("the default SSLContext is already initialised");
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    return factory;
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    return context.getServerSocketFactory();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return context.createSSLEngine();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return context.createSSLEngine(host, port);
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return context.getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return context.getClientSessionContext();
  }
}
