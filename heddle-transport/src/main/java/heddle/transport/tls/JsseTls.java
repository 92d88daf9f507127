package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.SecureChannel;
import heddle.transport.TlsProvider;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * TLS with the JDK's engines, or those of the provider whose context the options hold. Kept by a
 * client or server for its lifetime. Safe for use by many threads.
 */
public final class JsseTls implements TlsProvider {
  /**
   * How much ciphertext one read of an accepted channel may bring. Many peers may each have a
   * server hold the rest of a read, because their requests wait for something.
   */
  private static final int ACCEPTED_READ_LIMIT = 64 * 1024;

  private final Supplies supplies = new Supplies();

  /** Held while the defaults are made. */
  private final ReentrantLock making = new ReentrantLock();

  /** Set once: null before the first use of the defaults. */
  private volatile @Nullable TlsOptions options;

  /** With these options, or with the {@linkplain TlsOptions#defaults} if they are null. */
  public JsseTls(@Nullable TlsOptions options) {
    this.options = options;
  }

  /**
   * The defaults are made when they are needed: an application that uses only cleartext needs none.
   */
  private TlsOptions options() {
    TlsOptions known = options;
    if (known != null) {
      return known;
    }
    making.lock();
    try {
      TlsOptions made = options;
      if (made == null) {
        made = TlsOptions.defaults();
        options = made;
      }
      return made;
    } finally {
      making.unlock();
    }
  }

  @Override
  public SecureChannel connect(
      Channel channel, String host, int port, List<String> protocols, Deadline deadline)
      throws IOException {
    String peer = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    boolean done = false;
    try {
      TlsOptions asked = clientOptions();
      SSLEngine engine = asked.clientEngine(host, port, protocols);
      HandshakeFailures failures = new HandshakeFailures(engine, peer, host);
      HandshakeListener handshakeListener = new HandshakeListener(channel, null);
      channel.start(handshakeListener);
      CertificateRules rules = asked.certificateRules(host);
      handshake(channel, engine, handshakeListener, failures, peer, rules).run(deadline);
      done = true;
      return new TlsChannel(
          channel,
          handshakeListener,
          engine,
          failures,
          supplies,
          asked.asksForTheHostAlone(),
          Integer.MAX_VALUE);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private TlsOptions clientOptions() throws IOException {
    try {
      return options();
    } catch (IllegalArgumentException e) {
      throw new IOException("TLS with the JDK's defaults is not possible: " + e.getMessage(), e);
    }
  }

  private Handshake handshake(
      Channel channel,
      SSLEngine engine,
      HandshakeListener handshakeListener,
      HandshakeFailures failures,
      String peer,
      @Nullable CertificateRules rules) {
    return new Handshake(
        channel, engine, handshakeListener.handshake(), supplies.buffers(), failures, peer, rules);
  }

  @Override
  public void accept(
      Channel channel,
      List<String> protocols,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<@Nullable IOException> onFailed) {
    try {
      String peer = String.valueOf(channel.remoteAddress());
      AcceptedHandshake accepted =
          new AcceptedHandshake(channel, peer, handshakeNanos, onReady, onFailed);
      prepare(accepted, channel, peer, protocols);
      accepted.begin();
    } catch (RuntimeException | Error e) {
      IOException why = new IOException("cannot make a TLS engine: " + e.getMessage(), e);
      channel.close();
      onFailed.accept(why);
    }
  }

  private void prepare(
      AcceptedHandshake accepted, Channel channel, String peer, List<String> protocols) {
    SSLEngine engine = options().serverEngine(protocols);
    HandshakeFailures failures = new HandshakeFailures(engine, peer, null);
    HandshakeListener handshakeListener = accepted.handshakeListener();
    accepted.prepare(
        handshake(channel, engine, handshakeListener, failures, peer, null),
        () -> new TlsChannel(
            channel, handshakeListener, engine, failures, supplies, false, ACCEPTED_READ_LIMIT));
  }
}
