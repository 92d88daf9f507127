package heddle.adapters.support;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.HostnameVerifier;
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
 * An engine that has a {@link HostnameVerifier} say whether a server is the one that was meant,
 * instead of comparing names by the rules of https, or tells the server another name than that of
 * its host, or both. Whether its certificate is trusted is decided as ever; without a verifier it
 * has to be for the name that was told.
 *
 * <p>The verifier is a user's and may block, so it is asked within a delegated task of the
 * handshake, as soon as the server's certificates have been accepted, and before anything of the
 * application's is sent. A handshake at whose end it was not asked has failed.
 */
final class IdentityEngine extends SSLEngine {
  private final SSLEngine engine;
  private final @Nullable HostnameVerifier verifier;
  private final @Nullable ServerNameIndication name;

  /** Written by a task, which has ended before the engine goes on. */
  private volatile boolean asked;

  private volatile @Nullable SSLException refusal;

  /**
   * @param engine made for the host, or for the name where there is one
   * @param host that is connected to, and that the verifier is asked about
   * @param verifier null for the rules of https
   * @param name null for that of the host
   */
  IdentityEngine(
      SSLEngine engine,
      String host,
      @Nullable HostnameVerifier verifier,
      @Nullable ServerNameIndication name) {
    super(host, engine.getPeerPort());
    this.engine = engine;
    this.verifier = verifier;
    this.name = name;
  }

  @Override
  public @Nullable Runnable getDelegatedTask() {
    Runnable task = engine.getDelegatedTask();
    HostnameVerifier decides = verifier;
    return task == null || decides == null
        ? task
        : () -> {
          task.run();
          askOnce(decides);
        };
  }

  private void askOnce(HostnameVerifier decides) {
    if (asked) {
      return;
    }
    // A task may take all that is left of a handshake in one go, and end it.
    SSLSession begun = engine.getHandshakeSession();
    SSLSession session = begun == null ? engine.getSession() : begun;
    if (!hasCertificates(session)) {
      return;
    }
    asked = true;
    String host = getPeerHost();
    try {
      if (!decides.verify(host, session)) {
        refusal = new SSLPeerUnverifiedException("Hostname " + host
            + " not verified: the HostnameVerifier of the client does not take the server for it");
      }
    } catch (RuntimeException e) {
      SSLException failure =
          new SSLHandshakeException("the HostnameVerifier of the client failed for " + host);
      failure.initCause(e);
      refusal = failure;
    }
  }

  private static boolean hasCertificates(SSLSession session) {
    try {
      return session.getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false; // They have not come yet.
    }
  }

  private void requireAccepted() throws SSLException {
    SSLException refused = refusal;
    if (refused != null) {
      throw refused;
    }
  }

  private SSLEngineResult checked(SSLEngineResult result) throws SSLException {
    if (verifier != null && !asked && result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      throw new SSLHandshakeException(
          "the handshake ended without the HostnameVerifier of the client having been asked");
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

  /** Names are a verifier's to compare, where there is one. */
  @Override
  public void setSSLParameters(SSLParameters parameters) {
    if (verifier != null) {
      parameters.setEndpointIdentificationAlgorithm("");
    }
    if (name != null) {
      parameters.setServerNames(name.names());
    }
    engine.setSSLParameters(parameters);
  }

  // ---- the rest is the engine's

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
    return engine.getSession();
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
