package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.SecureChannel;
import heddle.transport.TlsProvider;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * TLS with the JDK's engines, or those of the provider whose context the options hold. Kept by a
 * client or server for its lifetime. Safe for use by many threads.
 */
public final class JsseTls implements TlsProvider {
  private final TlsBuffers buffers = new TlsBuffers();

  private final Supplier<TlsOptions> source;

  // Set under the lock: null before the first use of the source.
  private final ReentrantLock making = new ReentrantLock();
  private volatile @Nullable TlsOptions options;

  /** TLS with these options. */
  public JsseTls(TlsOptions options) {
    this(() -> options);
    this.options = options;
  }

  /**
   * @param source called once, when TLS is first used; may throw an IllegalArgumentException
   */
  public JsseTls(Supplier<TlsOptions> source) {
    this.source = source;
  }

  /**
   * Uses these options from now on. Handshakes that have begun, and protected channels, keep those
   * with which they began. Sessions made under other options are not resumed, unless both have the
   * same context.
   */
  public void replace(TlsOptions newOptions) {
    making.lock();
    try {
      options = newOptions;
    } finally {
      making.unlock();
    }
  }

  /** They are made when needed, which is never if only cleartext is used. */
  private TlsOptions options() {
    TlsOptions known = options;
    if (known != null) {
      return known;
    }
    making.lock();
    try {
      TlsOptions made = options;
      if (made == null) {
        made = source.get();
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
      TlsOptions.ServerCheck check = asked.serverCheck(host, port);
      String name = asked.serverName(host);
      SSLEngine engine = asked.clientEngine(name, port, protocols, check);
      HandshakeListener listener = new HandshakeListener(channel, null);
      channel.start(listener);
      CertificateRules rules = asked.certificateRules(name);
      Handshake handshake = new Handshake(channel, engine, listener, buffers, peer, name, rules);
      handshake.run(deadline, check);
      done = true;
      return handshake.newChannel(asked.asksForTheHostAlone(), Integer.MAX_VALUE);
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
      throw new IOException("TLS is not possible: " + e.getMessage(), e);
    }
  }

  @Override
  public void accept(
      Channel channel,
      List<String> protocols,
      long handshakeNanos,
      Consumer<SecureChannel> onReady,
      Consumer<@Nullable IOException> onFailed) {
    try {
      TlsOptions known = options();
      SSLEngine engine = known.serverEngine(protocols);
      new AcceptedHandshake(
              channel, engine, known.clientRules(), buffers, handshakeNanos, onReady, onFailed)
          .begin();
    } catch (RuntimeException | Error e) {
      IOException why = new IOException("cannot make a TLS engine: " + e.getMessage(), e);
      channel.close();
      onFailed.accept(why);
    }
  }
}
