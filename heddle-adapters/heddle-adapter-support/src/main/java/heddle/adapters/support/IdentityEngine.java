package heddle.adapters.support;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine that asks a {@link ServerIdentity} whether the server is the intended one, instead of
 * comparing names by the rules of HTTPS, or sends a server name other than the host (SNI), or both.
 * The trust manager still decides whether the certificate is trusted. Without an identity, the
 * certificate must match the server name that was sent.
 *
 * <p>Verifying is user code and may block, so a delegated task of the handshake does it, as soon as
 * the server's certificates have been accepted and before any application data is sent. A handshake
 * that ends without it fails.
 */
final class IdentityEngine extends SSLEngine {
  private final SSLEngine engine;
  private final @Nullable ServerIdentity identity;
  private final @Nullable ServerNameIndication name;

  /** Written by a delegated task, which ends before the engine continues. */
  private volatile boolean asked;

  /** The session that is being verified; null at other times. */
  private volatile @Nullable SSLSession verified;

  private volatile @Nullable SSLException refusal;

  /**
   * @param engine made for the name if there is one, otherwise for the host
   * @param host to which the client connects
   * @param identity null for the rules of HTTPS
   * @param name server name to send; null for the host
   */
  IdentityEngine(
      SSLEngine engine,
      String host,
      @Nullable ServerIdentity identity,
      @Nullable ServerNameIndication name) {
    super(host, engine.getPeerPort());
    this.engine = engine;
    this.identity = identity;
    this.name = name;
  }

  @Override
  public @Nullable Runnable getDelegatedTask() {
    Runnable task = engine.getDelegatedTask();
    ServerIdentity decides = identity;
    return task == null || decides == null
        ? task
        : () -> {
          task.run();
          askOnce(decides);
        };
  }

  private void askOnce(ServerIdentity decides) {
    if (asked) {
      return;
    }
    // One task may run the rest of the handshake and end it.
    SSLSession begun = engine.getHandshakeSession();
    SSLSession session = begun == null ? engine.getSession() : begun;
    if (!hasCertificates(session)) {
      return;
    }
    asked = true;
    verified = session;
    try {
      decides.verify(this);
    } catch (SSLException e) {
      refusal = e;
    } catch (RuntimeException e) {
      refusal = failure("verifying the server " + getPeerHost() + " failed", e);
    } finally {
      verified = null;
    }
  }

  static SSLException failure(String what, RuntimeException because) {
    SSLException failure = new SSLHandshakeException(what);
    failure.initCause(because);
    return failure;
  }

  private static boolean hasCertificates(SSLSession session) {
    try {
      return session.getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false; // The server's certificates have not arrived yet.
    }
  }

  private void requireAccepted() throws SSLException {
    SSLException refused = refusal;
    if (refused != null) {
      throw refused;
    }
  }

  private SSLEngineResult checked(SSLEngineResult result) throws SSLException {
    if (identity != null && !asked && result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      throw new SSLHandshakeException(
          "the handshake ended before the client could verify the server");
    }
    return result;
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target)
      throws SSLException {
    requireAccepted();
    return checked(engine.wrap(sources, offset, length, target));
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
      throws SSLException {
    requireAccepted();
    return checked(engine.unwrap(source, targets, offset, length));
  }

  /** If there is an identity, it compares the names, and not the engine. */
  @Override
  public void setSSLParameters(SSLParameters parameters) {
    if (identity != null) {
      parameters.setEndpointIdentificationAlgorithm("");
    }
    if (name != null) {
      parameters.setServerNames(name.names());
    }
    engine.setSSLParameters(parameters);
    if (identity != null) {
      identity.configure(engine);
    }
  }

  // ---- delegated to the engine

  @Override
  public SSLParameters getSSLParameters() {
    return engine.getSSLParameters();
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return engine.getHandshakeStatus();
  }

  @Override
  public void beginHandshake() throws SSLException {
    engine.beginHandshake();
  }

  @Override
  public SSLSession getSession() {
    SSLSession begun = verified;
    return begun == null ? engine.getSession() : begun;
  }

  @Override
  public @Nullable SSLSession getHandshakeSession() {
    return engine.getHandshakeSession();
  }

  @Override
  public @Nullable String getApplicationProtocol() {
    return engine.getApplicationProtocol();
  }

  @Override
  public @Nullable String getHandshakeApplicationProtocol() {
    return engine.getHandshakeApplicationProtocol();
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(
      BiFunction<SSLEngine, List<String>, String> selector) {
    engine.setHandshakeApplicationProtocolSelector(selector);
  }

  @Override
  public @Nullable BiFunction<SSLEngine, List<String>, String>
      getHandshakeApplicationProtocolSelector() {
    return engine.getHandshakeApplicationProtocolSelector();
  }

  @Override
  public void closeInbound() throws SSLException {
    engine.closeInbound();
  }

  @Override
  public boolean isInboundDone() {
    return engine.isInboundDone();
  }

  @Override
  public void closeOutbound() {
    engine.closeOutbound();
  }

  @Override
  public boolean isOutboundDone() {
    return engine.isOutboundDone();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return engine.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return engine.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    engine.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return engine.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return engine.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    engine.setEnabledProtocols(protocols);
  }

  @Override
  public void setUseClientMode(boolean client) {
    engine.setUseClientMode(client);
  }

  @Override
  public boolean getUseClientMode() {
    return engine.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    engine.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return engine.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    engine.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return engine.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean enable) {
    engine.setEnableSessionCreation(enable);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return engine.getEnableSessionCreation();
  }
}
