package heddle.adapters.support;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
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
    this(context, name, verifier == null ? null : (host, port) -> asking(verifier, host));
  }

  /** A context whose handshakes are configured, and whose servers verified, by identities. */
  public IdentityContext(SSLContext context, ServerIdentity.Source identities) {
    this(context, null, identities);
  }

  private IdentityContext(
      SSLContext context,
      @Nullable ServerNameIndication name,
      ServerIdentity.@Nullable Source identities) {
    super(new Engines(context, identities, name), context.getProvider(), context.getProtocol());
  }

  private static ServerIdentity asking(HostnameVerifier verifier, String host) {
    return engine -> {
      try {
        if (!verifier.verify(host, engine.getSession())) {
          throw new SSLPeerUnverifiedException("Hostname " + host
              + " not verified: the HostnameVerifier of the client rejected the server");
        }
      } catch (RuntimeException e) {
        throw IdentityEngine.failure("the HostnameVerifier of the client failed for " + host, e);
      }
    };
  }

  private static final class Engines extends SSLContextSpi {
    private final SSLContext context;
    private final ServerIdentity.@Nullable Source identities;
    private final @Nullable ServerNameIndication name;

    /** The same object for each caller, so that it can be recognised. */
    private final AtomicReference<@Nullable SSLSocketFactory> sockets = new AtomicReference<>();

    Engines(
        SSLContext context,
        ServerIdentity.@Nullable Source identities,
        @Nullable ServerNameIndication name) {
      this.context = context;
      this.identities = identities;
      this.name = name;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("the wrapped SSLContext is already initialised");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      if (identities != null || name != null) {
        throw new UnsupportedOperationException("an engine without a host cannot verify one");
      }
      return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      ServerNameIndication told = name != null && name.isFor(host) ? name : null;
      // JSSE caches sessions by the host for which an engine was made. A session whose server has
      // proved only the sent name must not be resumed for the host.
      SSLEngine engine = context.createSSLEngine(told == null ? host : told.name(), port);
      ServerIdentity identity = identities == null ? null : identities.of(host, port);
      return new IdentityEngine(engine, host, identity, told);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      SSLSocketFactory known = sockets.get();
      if (known != null) {
        return known;
      }
      SSLSocketFactory made = context.getSocketFactory();
      SSLSocketFactory other = sockets.compareAndExchange(null, made);
      return other == null ? made : other;
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
