package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.SecureChannel;
import heddle.transport.TlsProvider;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;

/**
 * TLS with the JDK's engines, or those of the provider whose context the options hold. Kept by a
 * client or server for its lifetime. Safe for use by many threads.
 */
public final class JsseTls implements TlsProvider {
  private final TlsOptions options;
  private final Supplies supplies = new Supplies();

  public JsseTls(TlsOptions options) {
    this.options = options;
  }

  @Override
  public SecureChannel connect(
      Channel channel, String host, int port, List<String> protocols, Deadline deadline)
      throws IOException {
    String peer = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    boolean done = false;
    try {
      SSLEngine engine = options.clientEngine(host, port, protocols);
      HandshakeFailures failures = new HandshakeFailures(engine, peer, host);
      Ears ears = new Ears(channel, () -> {});
      channel.start(ears);
      handshake(channel, engine, ears, failures, peer).run(deadline);
      done = true;
      return new TlsChannel(channel, ears, engine, failures, supplies);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private Handshake handshake(
      Channel channel, SSLEngine engine, Ears ears, HandshakeFailures failures, String peer) {
    return new Handshake(channel, engine, ears.handshake(), supplies.buffers(), failures, peer);
  }

  @Override
  public void accept(
      Channel channel,
      List<String> protocols,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<IOException> onFailed) {
    SSLEngine engine;
    try {
      engine = options.serverEngine(protocols);
    } catch (RuntimeException e) {
      // Of whatever provider: a connection must not be left to nobody.
      channel.close();
      onFailed.accept(new IOException("cannot make a TLS engine: " + e.getMessage(), e));
      return;
    }
    String peer = String.valueOf(channel.remoteAddress());
    HandshakeFailures failures = new HandshakeFailures(engine, peer, null);
    AcceptedHandshake accepted = new AcceptedHandshake(channel, handshakeNanos, onReady, onFailed);
    Ears ears = accepted.ears();
    accepted.begin(
        handshake(channel, engine, ears, failures, peer),
        () -> new TlsChannel(channel, ears, engine, failures, supplies));
  }
}
